// One event of an execution graph (SPORE §3.1), as plain data.
//
// An rmw or a successful cas is two events: an exclusive read and, po-immediately after it, an exclusive write.
#pragma once

#include <cstdint>

#include "core/action.hpp"
#include "core/ids.hpp"

namespace heddle {

enum class EventKind : uint8_t { read, write, fence, create, join, exit, free, choice, help, arrive, leave, look };

// How a read decides whether it is exclusive: never, always, or when it reads `expected`.
enum class ReadType : uint8_t { load, rmw, cas };

// The base write of every location, co-before all others. It is in no list.
inline constexpr EventId kInit{0xfffffffe};

// The block that a free ends the life of.
struct FreedBlock {
  Address start;
  uint64_t length;
};

// How far all was when the await that is a thread's next event left the graph.
struct Loss {
  uint64_t events_of_thread;
  uint64_t events;
};

struct alignas(64) Event {
  Value value;  // read, written, chosen, or the result of an arrive, leave or look
  union {
    Value expected{};   // of a cas, an await, a read that is compared, a help; arrive, leave, look: see Action
    struct {            // of Await::holds
      uint64_t of_cas;  // what the cas expects
      const Condition* condition;
    };
    FreedBlock freed;  // of a free
    Loss loss;         // of a write with a `loser`
  };
  Value operand;    // read of an rmw or cas, help: what the write is made of; arrive, leave: see Action
  Address own = 0;  // see Action

  EventId rf = kNoEvent;  // read: the write that it reads from; join: the exit
  union {
    EventId next_reader = kNoEvent;  // read: the next one in its write's list of readers
    uint32_t help_reads;             // help: the reads that it leaves out, see Locations
  };
  union {
    EventId readers = kNoEvent;  // write: its readers
    EventId winner;              // read: an await that has lost to this write before
  };
  EventId co_prev = kNoEvent;  // write: neighbours in co (kInit at the start)
  EventId co_next = kNoEvent;
  EventId loc_prev = kNoEvent;       // access: the access of this location that was added before; arrive, look: so
  EventId release = kNoEvent;        // write: where its release view is, see Graph::release_view
  EventId release_fence = kNoEvent;  // the latest release fence that is this event or po-before it
  EventId symb = kNoEvent;           // the event of the thread's twin that is symmetry-before this one
  LocId loc = kNoLoc;
  uint32_t po = 0;  // position in the thread, from 1
  uint32_t co = 0;  // write: position in co, from 1 (the base write is 0)
  SiteId site = kNoSite;

  ThreadId thread = kNoThread;
  ThreadId child = kNoThread;  // create, join
  union {
    ThreadId twin = kNoThread;  // create: see Action
    ThreadId loser;             // write of an rmw: the thread that it has left to wait, by a revisit
  };
  EventKind kind = EventKind::fence;
  Mode mode = Mode::na;  // of a cas's read: by its outcome
  Mode mode_success = Mode::na;
  Mode mode_failure = Mode::na;
  Mode mode_write = Mode::na;  // read of an rmw or cas: of its write
  RmwOp op = RmwOp::xchg;
  uint8_t size = 0;
  ReadType type = ReadType::load;
  Await await = Await::none;
  Purpose purpose = Purpose::access;
  bool helping : 1 = false;      // help: see Action
  bool exclusive : 1 = false;    // part of an rmw, or a read that is about to become one
  bool blocked : 1 = false;      // an await's read of an unsatisfying value: the thread waits here
  bool revisited : 1 = false;    // write: a read that was added earlier reads from it
  bool revisitable : 1 = false;  // read: in the set T of rcmc
  bool release_row : 1 = false;  // write: the release view is the third clock row of `release`; read: see acquire_only
  bool retire : 1 = false;       // free: see Action
  bool guarded : 1 = false;      // access: see Action
  bool assumed : 1 = false;      // await: see Action
  // await: reads from the same write as a load before it, or its thread waits here for ever
  bool confirms : 1 = false;
  bool late : 1 = false;           // an await that was added when no thread could go on
  bool overtakes : 1 = false;      // late: what waited then lets it go first
  bool result_unused : 1 = false;  // read of an rmw, await: see Action
  bool undone : 1 = false;         // likewise
  bool compared : 1 = false;       // likewise

  bool is_read() const { return kind == EventKind::read; }
  bool is_write() const { return kind == EventKind::write; }
  bool is_access() const { return is_read() || is_write(); }
  bool is_meeting() const { return kind >= EventKind::arrive; }
};

static_assert(sizeof(Event) == 128, "events are copied all the time: two cache lines are enough");

inline bool satisfied(const Event& r, Value read) { return satisfied(r.await, r.expected, r.condition, read); }

// What a cas expects.
inline Value expected_by(const Event& cas) { return cas.await == Await::holds ? Value{cas.of_cas, 0} : cas.expected; }

// Whether a read becomes exclusive, the first half of an rmw, if it reads this value.
inline bool becomes_exclusive(const Event& r, Value read) {
  return satisfied(r, read) && (r.type == ReadType::rmw || (r.type == ReadType::cas && read == expected_by(r)));
}

}  // namespace heddle
