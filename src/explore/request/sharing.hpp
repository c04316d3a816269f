// What takes over a part of the work of an exploration.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"

namespace heddle {

// Takes over a part of the work: each item is what is not yet explored, as bytes that any process can read
// (share/work_item.hpp).
class Sharing {
 public:
  virtual ~Sharing() = default;
  // Asked before each new choice: whether another process wants to see all that is left.
  virtual bool wants_all() { return false; }
  // What was counted so far, and all that is not yet explored, the oldest first. The caller's answer says of each item
  // whether it takes it over; items beyond the end of the answer stay.
  virtual std::vector<bool> look(const Result& /*so_far*/, std::vector<std::string> /*rest*/) { return {}; }

  // For parts that are not independent (share/work_tree.hpp). It is told before each `look`, which shows one item then
  // that is not taken over, and at the end.
  virtual void tell(std::string /*what*/) {}
  // Whether another process has no work.
  virtual bool others_wait() { return false; }
};

}  // namespace heddle
