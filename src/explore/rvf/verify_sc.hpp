// Verifying sequential consistency (rvf-smc §4): given events and, for each read, the writes that it may read from,
// find an interleaving in which each read reads from one of its good writes. Nothing here knows a program: an instance
// is plain data.
//
// VerifySC (Algorithm 1) goes forward from the empty interleaving. What can still follow depends on the witness state
// alone: which events are done, and which write of each variable is active. So no state is visited twice. The four
// techniques of §4.2 can be switched off; they never change the answer:
//
//  - greedy reads:  a read that finds a good write goes first. In any witness it can be moved to the front.
//  - greedy writes: a write w replaces an active one, if no read that is left wants either of the two. In any witness w
//                   can be moved to the front: the next read of the variable comes after yet another write.
//  - closure:       a partial order that each witness respects, from rules about what a read leaves for others. If it
//                   has a cycle, or leaves nothing for a read, there is no witness; else it guides the search.
//  - auxiliary:     an interleaving that is right but for the last event. First it is tried to put that event into it
//                   as it is; else it says in which order events are tried.
//
// A read-modify-write is one event that reads and writes (App. A has a pair that must stay together). It is not moved
// by the greedy rules. It is subject to the rules of the closure as a read, and as a write of others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/assert.hpp"

namespace heddle {

// Events are numbered in the order of addition, which respects program order.
using VscId = uint32_t;
inline constexpr VscId kInitialWrite = 0xffffffff;  // of whatever variable, before all events
inline constexpr VscId kNoVscEvent = 0xfffffffe;
inline constexpr uint32_t kNoVar = 0xffffffff;

struct VscEvent {
  uint32_t thread = 0;
  uint32_t var = kNoVar;  // kNoVar iff it neither reads nor writes
  bool reads = false;
  bool writes = false;
  bool final = false;         // comes after all events that are not final
  VscId after = kNoVscEvent;  // comes after this one too: the creation of its thread, the exit that it waits for
  uint32_t index = 0;         // in its thread, from 1; set by add
  uint32_t good_begin = 0;    // likewise
};

// X, its program order, and GoodW. Grows and shrinks at its end.
class VscInstance {
 public:
  std::size_t size() const { return events_.size(); }
  const VscEvent& operator[](VscId e) const {
    HEDDLE_ASSERT(e < events_.size());
    return events_[e];
  }
  // The good writes of a read, ascending; kInitialWrite is the greatest.
  std::span<const VscId> good(VscId e) const {
    const std::size_t end = e + 1 < events_.size() ? events_[e + 1].good_begin : good_.size();
    return std::span(good_).subspan(events_[e].good_begin, end - events_[e].good_begin);
  }
  std::size_t threads() const { return threads_.size(); }
  std::span<const VscId> thread(uint32_t t) const { return threads_[t]; }
  std::size_t vars() const { return accesses_.size(); }
  std::span<const VscId> accesses(uint32_t var) const { return accesses_[var]; }

  // Program order: the number of events of each thread that come before e or are e.
  std::span<const uint32_t> before(VscId e) const {
    HEDDLE_ASSERT((std::size_t{e} + 1) * stride_ <= clocks_.size());
    return {clocks_.data() + std::size_t{e} * stride_, stride_};
  }
  bool before(VscId a, VscId b) const { return before(b)[events_[a].thread] >= events_[a].index; }
  std::size_t stride() const { return stride_; }

  VscId add(VscEvent event, std::span<const VscId> good);
  void cut(std::size_t n);

  // The writes that program order lets e see, e being the last of its thread (VisibleW of §2.2), ascending.
  void visible_writes(VscId e, std::vector<VscId>& out) const;

 private:
  void widen(std::size_t stride);

  std::vector<VscEvent> events_;
  std::vector<VscId> good_;
  std::vector<std::vector<VscId>> threads_;
  std::vector<std::vector<VscId>> accesses_;  // by variable
  std::vector<uint32_t> clocks_;
  std::size_t stride_ = 4;
};

struct VscOptions {
  bool greedy = true;
  bool closure = true;
  bool auxiliary = true;
};

// The closure P of an instance (§4.2). It only grows with the instance. So the closures of some beginnings of it are
// kept, and the next one starts from the last of them.
class VscClosure {
 public:
  // False if there is none.
  bool operator()(const VscInstance& x);
  // The instance has been, or will be, cut to n events.
  void cut(std::size_t n) {
    while (kept_count_ > 0 && kept_[kept_count_ - 1].size > n) --kept_count_;
  }

  // The number of events of thread t that P puts before e, or are e.
  uint32_t clock(VscId e, uint32_t t) const { return clocks_[std::size_t{e} * stride_ + t]; }
  bool before(VscId a, VscId b) const { return a != b && clock(b, (*x_)[a].thread) >= (*x_)[a].index; }

 private:
  struct Kept {
    std::size_t size = 0;  // of the instance
    std::size_t stride = 0;
    std::vector<uint32_t> clocks;
  };

  std::size_t start(const VscInstance& x);
  void keep();
  bool order(VscId a, VscId b);
  bool apply(VscId r);
  bool sees(VscId r, VscId w) const;

  const VscInstance* x_ = nullptr;
  std::size_t stride_ = 0;
  std::vector<uint32_t> clocks_;
  std::vector<Kept> kept_;  // the first kept_count_; the others are memory for later
  std::size_t kept_count_ = 0;
  std::vector<uint8_t> grown_;  // variables with accesses that are new
  std::vector<VscId> passed_;   // writes before the read
  std::vector<VscId> left_;     // Cl(r)
  bool changed_ = false;
};

// The witness states that a search has visited: how far each thread is, and the active write of each variable.
class VscStates {
 public:
  void clear();
  // False if it has been there.
  bool add(std::span<const uint32_t> positions, std::span<const VscId> active);

 private:
  std::size_t slot_of(std::size_t i) const;
  std::span<const uint32_t> state(std::size_t i) const { return std::span(states_).subspan(i * width_, width_); }

  std::vector<uint32_t> states_;  // one after the other
  std::vector<uint32_t> table_;   // a hash table of their numbers
  std::size_t count_ = 0;
  std::size_t width_ = 0;
};

class VerifySc {
 public:
  // Whether there is a witness, and which. `auxiliary` is an interleaving of all events; or of all but the last, and
  // then a witness without it.
  bool operator()(const VscInstance& x, std::span<const VscId> auxiliary, const VscOptions& options,
                  std::vector<VscId>& witness);

  // The instance has been, or will be, cut to n events. The code that changes it must call this.
  void cut(std::size_t n) { closure_.cut(n); }

 private:
  struct Done {
    VscId event;
    VscId replaced;  // the write that was active before
  };

  bool insert_last(std::span<const VscId> auxiliary, std::vector<VscId>& witness);
  void start(std::span<const VscId> auxiliary);
  bool search();
  bool visit_next();
  bool go_greedily();
  VscId next_of(uint32_t t) const;
  bool ready(VscId e) const;
  bool executable(VscId e) const;
  bool is_executed(VscId e) const { return positions_[(*x_)[e].thread] >= (*x_)[e].index; }
  bool is_wanted(VscId w, uint32_t var) const { return (w == kInitialWrite ? initial_uses_[var] : uses_[w]) != 0; }
  void execute(VscId e);
  void undo(std::size_t n);
  std::span<const VscId> readers(VscId w) const {
    return std::span(readers_).subspan(readers_begin_[w], readers_begin_[w + 1] - readers_begin_[w]);
  }

  const VscInstance* x_ = nullptr;
  VscOptions options_;
  VscClosure closure_;
  // The state.
  std::vector<uint32_t> positions_;  // executed events of each thread
  std::vector<VscId> active_;        // write of each variable
  std::vector<uint32_t> held_;       // by how many reads each variable is held
  std::vector<uint32_t> remaining_;  // of each read: good writes that are not executed
  std::vector<uint32_t> uses_;       // of each write: reads that are not executed, and for which it is good
  std::vector<uint32_t> initial_uses_;
  std::vector<Done> done_;
  // For each write the reads for which it is good.
  std::vector<uint32_t> readers_begin_;
  std::vector<VscId> readers_;
  std::vector<uint32_t> rank_;  // of each event, in the auxiliary trace
  VscStates visited_;
};

}  // namespace heddle
