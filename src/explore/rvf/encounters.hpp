// What interleavings of one RVF class may differ in: which threads stand where at the same time.
//
// A class is an instance of VerifySC: in each of its interleavings each read reads from one of its good writes. Each
// interleaving of the program begins one of a class that is explored. So it is enough to look in each of these.
//
// The search goes forward as that of VerifySC, but it need not come to the end of all threads, so that no variable is
// held. Reads, and what is no access, go first: they never stand in the way.
#pragma once

#include <vector>

#include "explore/rvf/verify_sc.hpp"

namespace heddle {

// How far a thread is to come: the number of its events.
struct Stand {
  uint32_t thread = 0;
  uint32_t at_least = 0;
  uint32_t at_most = 0;
  VscId after = kNoVscEvent;  // this event has come before: the thread's creation
};

class Encounters {
 public:
  // Whether two threads can be there at the same time, and how.
  bool operator()(const VscInstance& x, const Stand& a, const Stand& b, std::vector<VscId>& trace);

 private:
  bool search();
  bool is_there(const Stand& s) const;
  bool may_go(uint32_t t) const;
  bool executable(VscId e) const;
  void execute(VscId e);
  void undo(std::size_t n);

  struct Done {
    VscId event;
    VscId replaced;
  };

  const VscInstance* x_ = nullptr;
  Stand a_, b_;
  std::vector<uint32_t> positions_;
  std::vector<VscId> active_;
  std::vector<Done> done_;
  VscStates states_;
};

}  // namespace heddle
