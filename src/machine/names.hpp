// What a report asks of a machine: names of memory and threads, what the program has printed, and the places of plain
// accesses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "core/result.hpp"
#include "core/value_type.hpp"

namespace heddle {

class Names {
 public:
  virtual ~Names() = default;

  // "x", "queue.head", "Node#2.next".
  virtual std::string describe(Address) const = 0;
  // What a pointer points to, if anything.
  virtual std::string object(Address) const { return {}; }
  // The block of memory there, as a sentence has it.
  virtual std::string block(Address) const { return "memory"; }
  // The type of what is there.
  virtual ValueType type(Address, uint8_t /*size*/) const { return {}; }
  // Which threads hold the lock there.
  virtual std::vector<Holder> holders(Address) const { return {}; }
  virtual std::string name(ThreadId) const = 0;
  virtual ThreadId parent(ThreadId) const = 0;

  // The text that the execution has printed so far.
  virtual std::string output() const = 0;

  // Whether accesses that are not actions are remembered well enough to give an error its other_site. Slower, so off;
  // switch it on before the restart that repeats an execution for a report.
  virtual void record_sites(bool) {}
};

}  // namespace heddle
