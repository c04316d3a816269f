// An execution graph that grows by po-maximal events and shrinks from the end.
//
// Events are numbered in the order of addition (≤_G of SPORE Def. 3.2). The graph keeps rf, co (as
// linked lists), readers, and for each event two clocks: the hb-prefix and the causal prefix cb, both including the
// event itself. clock[t] is the number of events of thread t in the prefix; prefixes are closed under po, so
// a clock says it all. hb is as the memory model has it (`Sync`; release sequences as in SPORE App. D.1 and C++20:
// rmws only), plus create → child's first event, child's exit → join, and arrive → leave. cb = (po ∪ rf ∪ symb)+, where
// symb (§3.2 there) orders the events of twins, threads that can be exchanged, as long as they do the same.
//
// Invariants: rf of every read is set and in the graph; co of a location is a total order whose positions are
// 1, 2, …; only the po-last event of a thread may be a blocked read or an open one (exclusive, without its write).
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "core/assert.hpp"
#include "core/thread_paths.hpp"
#include "graph/bytes.hpp"
#include "graph/event.hpp"
#include "graph/locations.hpp"
#include "graph/meetings.hpp"

namespace heddle {

// Of which modes a read acquires and a write releases: the model's word on which rf synchronise.
struct Sync {
  uint8_t acquire, release;  // sets of modes

  static constexpr uint8_t set(std::initializer_list<Mode> modes) {
    unsigned s = 0;
    for (const Mode m : modes) s |= 1u << static_cast<int>(m);
    return static_cast<uint8_t>(s);
  }
  constexpr bool acquires(Mode m) const { return (acquire >> static_cast<int>(m) & 1) != 0; }
  constexpr bool releases(Mode m) const { return (release >> static_cast<int>(m) & 1) != 0; }
};

// As C and C++ have it.
inline constexpr Sync kSyncByMode{Sync::set({Mode::acq, Mode::acqrel, Mode::sc}),
                                  Sync::set({Mode::rel, Mode::acqrel, Mode::sc})};

// Events of each thread from its first on: a clock, one number for each thread.
using Prefix = std::span<const uint32_t>;

class Graph {
 public:
  // hb is as the memory model says (`sync`).
  explicit Graph(Locations& locations, Sync sync = kSyncByMode) : locations_(&locations), sync_(sync) { clear(); }

  void clear();

  // Reading.
  std::size_t size() const { return events_.size(); }
  const Event& operator[](EventId e) const {
    HEDDLE_ASSERT(index(e) < events_.size());
    return events_[index(e)];
  }
  std::size_t thread_count() const { return threads_.size(); }  // an upper bound of the ids in use
  std::span<const EventId> thread(ThreadId t) const {
    return index(t) < threads_.size() ? std::span<const EventId>(threads_[index(t)]) : std::span<const EventId>();
  }
  EventId last(ThreadId t) const { return thread(t).empty() ? kNoEvent : thread(t).back(); }
  EventId event(ThreadId t, uint32_t po) const {
    HEDDLE_ASSERT(po >= 1 && po <= thread(t).size());
    return threads_[index(t)][po - 1];
  }
  EventId creation(ThreadId t) const {  // kNoEvent for main
    HEDDLE_ASSERT(index(t) < created_by_.size());
    return created_by_[index(t)];
  }
  ThreadId twin(ThreadId t) const {
    HEDDLE_ASSERT(index(t) < twins_.size());
    return twins_[index(t)];
  }
  bool has_twins() const { return twin_count_ != 0; }
  // If e is the read of an rmw: the write. If e is a look that is confirmed, or comes between: likewise of that read.
  EventId end_of_rmw(EventId e) const;
  EventId look_of(EventId c) const;  // of a read that confirms it
  // Whether t would overtake its twin with its next event: the two have been alike so far.
  bool would_overtake(ThreadId t) const;
  bool has_help() const { return help_count_ != 0; }
  std::span<const LeftOutRead> help_reads(EventId help) const { return locations_->sequence((*this)[help].help_reads); }
  // The event just before e in hb and cb by program structure: its po-predecessor, or the creation of its thread.
  EventId predecessor(EventId e) const { return predecessor((*this)[e].thread, (*this)[e].po); }
  EventId predecessor(ThreadId t, uint32_t po) const { return po > 1 ? event(t, po - 1) : creation(t); }
  Address address(LocId l) const { return locations_->address(l); }
  LocId location(Address a) { return (*locations_)(a); }
  LocId known_location(Address a) const { return locations_->find(a); }  // kNoLoc: it was not asked for yet
  std::span<const LocId> touched() const { return touched_; }            // locations that may have accesses

  bool seen(LocId l) const { return index(l) < locs_.size() && locs_[index(l)].accesses != kNoEvent; }
  Value base(LocId l) const { return locs_[index(l)].base; }
  EventId co_last(LocId l) const { return locs_[index(l)].co_last; }    // kInit when there is no write
  EventId co_first(LocId l) const { return locs_[index(l)].co_first; }  // kNoEvent when there is no write
  EventId accesses(LocId l) const { return locs_[index(l)].accesses; }  // the latest added; then Event::loc_prev
  // The access of e's location that was added last before e by another thread. The accesses between the two are of e's
  // thread, and po-before e: if e is in a prefix, they are too.
  EventId others_before(EventId e) const {
    HEDDLE_ASSERT((*this)[e].is_access());
    return of_others_[index(e)];
  }
  // A number that no other access has, in any graph of the run. All that comes before an access stays as it is as long
  // as the access is there.
  uint64_t serial(EventId e) const {
    HEDDLE_ASSERT((*this)[e].is_access());
    return serials_[index(e)];
  }
  bool has_plain(LocId l) const { return locs_[index(l)].plain; }
  uint32_t co_position(EventId w) const { return w == kInit ? 0 : (*this)[w].co; }
  EventId co_next(LocId l, EventId w) const { return w == kInit ? co_first(l) : (*this)[w].co_next; }
  EventId readers(LocId l, EventId w) const { return w == kInit ? locs_[index(l)].init_readers : (*this)[w].readers; }
  Value value_of(LocId l, EventId w) const { return w == kInit ? base(l) : (*this)[w].value; }

  Prefix hb(EventId e) const { return {row(e, kHb), stride_}; }
  Prefix cb(EventId e) const { return {row(e, kCb), stride_}; }
  bool hb(EventId a, EventId b) const { return a != b && in(hb(b), a); }
  bool cb(EventId a, EventId b) const { return a != b && in(cb(b), a); }
  bool in(Prefix prefix, EventId e) const { return (*this)[e].po <= prefix[index((*this)[e].thread)]; }
  // What an acquire of w synchronises with, as a prefix; empty if with nothing.
  Prefix released(EventId w) const {
    const uint32_t* const view = release_view(w);
    return view == nullptr ? Prefix() : Prefix(view, stride_);
  }
  // What the read r synchronises with if it acquires, or an acquire fence after it does.
  Prefix acquired(EventId r) const {
    const Event& e = (*this)[r];
    if (e.release_row) return {row(r, kRelease), stride_};
    return e.rf == kInit ? Prefix() : released(e.rf);
  }
  const Sync& sync() const { return sync_; }
  // How often the memory behind the clocks has moved: what points into it is of no use then. (Its address would not
  // tell: memory may come back to where it was.)
  uint64_t clocks_moved() const { return clocks_moved_; }
  // A read that will be exclusive and whose write is not there yet.
  bool open(EventId r) const;
  std::size_t sc_accesses() const { return sc_accesses_; }
  // Accesses that are not sc, or would not be if their cas had another outcome.
  std::size_t weak_accesses() const { return weak_accesses_; }
  std::size_t sc_fences() const { return sc_fences_; }

  // The least co position that an access e may read from or be placed after so that symb;eco stays irreflexive: its
  // twin was not later.
  uint32_t symb_floor(EventId e) const {
    const Event& twin = (*this)[(*this)[e].symb];
    return twin.own != 0 ? 0 : twin.is_write() ? twin.co : co_position(twin.rf);
  }

  // Meetings (graph/meetings.hpp, graph_meetings.cpp): of the events at a meeting, arrivals and looks, the latest
  // added; then Event::loc_prev.
  EventId last_at(Meeting m) const { return meetings_.last(m); }
  static Meeting meeting(const Event& e) { return {e.loc, e.expected.lo}; }
  Meeting meeting(const Action& a) { return {location(a.addr), a.expected.lo}; }
  // What an event with this hb-prefix knows of the meeting.
  Gathering gathered(Meeting m, Prefix prefix) const;
  bool is_full(Meeting m, uint64_t phase) const;
  // Whether the new arrive or look shows that arrivals do not commute.
  bool is_crowded(EventId id) const;
  template <class F>
  void for_each_arrival(EventId leave, const F& f) const {
    const Event& e = (*this)[leave];
    HEDDLE_ASSERT(e.kind == EventKind::leave);
    for (EventId a = last_at(meeting(e)); a != kNoEvent; a = (*this)[a].loc_prev) {
      if ((*this)[a].kind == EventKind::arrive && (*this)[a].value.lo == e.operand.lo) f(a);
    }
  }

  // Growing. The new event is the po-last of its thread. A read or write of a location that is not `seen` needs
  // set_base first. add_read chooses rf at once; add_write does not place the write in co: `place` does.
  void set_base(LocId l, Value base);
  EventId add_read(ThreadId t, const Action& action, EventId rf);
  EventId add_store(ThreadId t, const Action& action);
  EventId add_exclusive_write(EventId read);  // completes an open read
  EventId add_other(ThreadId t, const Action& action, Value result);
  // Changes what the po-last read of a thread reads from: its value, exclusivity, mode and clocks follow.
  void set_rf(EventId r, EventId w);
  // The last event, the read r of an rmw, synchronises with `base` and its release sequence, as far as that has the
  // writes of these rmws, and not with all that the write offers that it reads from.
  void acquire_only(EventId r, EventId base, std::span<const EventId> rmws);
  void set_choice(EventId e, uint64_t value) {
    HEDDLE_ASSERT((*this)[e].kind == EventKind::choice);
    events_[index(e)].value = {value, 0};
  }
  // Puts a write directly after `after` (a write of its location or kInit), moving it if it has a place.
  void place(EventId w, EventId after);
  // A read that was added before w reads from it: w can never be deleted again (Prop. E.20).
  void set_revisited(EventId w) {
    HEDDLE_ASSERT((*this)[w].is_write());
    events_[index(w)].revisited = true;
  }

  // The await that is t's next event has lost the write that w follows to w.
  void set_loser(EventId w, ThreadId t, std::size_t events);
  bool is_loser(EventId w, ThreadId t) const;
  void set_winner(EventId r, EventId w) {
    HEDDLE_ASSERT((*this)[r].is_read());  // the readers of a write are in the same place
    events_[index(r)].winner = w;
  }
  void set_confirms(EventId r) {
    HEDDLE_ASSERT((*this)[r].is_read() && (*this)[r].await != Await::none);
    events_[index(r)].confirms = true;
    HEDDLE_ASSERT(look_of(r) != kNoEvent);
  }
  void set_late(EventId r) {
    HEDDLE_ASSERT((*this)[r].is_read() && (*this)[r].await != Await::none);
    events_[index(r)].late = events_[index(r)].overtakes = true;
  }
  void set_revisitable(EventId r, bool on) {
    HEDDLE_ASSERT((*this)[r].is_read());
    events_[index(r)].revisitable = on;
  }

  // Keeps the first n events.
  void cut(std::size_t n);

  // Makes this graph the part of `from` that a revisit of r by the write w keeps: the events added before r, r, w and
  // w's causal prefix, in the same order. w is the last event and has no place in co; r reads from it once set_rf has
  // been called. Returns the new names of r and w. (graph_copy.cpp)
  struct Revisit {
    EventId read, write;
  };
  Revisit restrict(const Graph& from, EventId r, EventId w);
  // The same without r. Returns the new name of w.
  EventId restrict_without(const Graph& from, EventId r, EventId w);
  // Makes this graph the part of `from` with the events that are marked in `kept`. They are closed under cb-prefixes,
  // but for `reads`, the last of their threads, which now read from w. co stays as it is.
  void keep(const Graph& from, std::span<const uint8_t> kept, std::span<const EventId> reads = {},
            EventId w = kNoEvent);
  // After restrict or keep: what an event of `from` is called here; kNoEvent if it was not kept.
  EventId renamed(EventId old) const { return renamed_[index(old)]; }

  // Which of the invariants above is broken, if any. Slow: for assertions (graph_check.cpp).
  std::string check() const;

  // To bytes and back (graph_bytes.cpp). Threads are named by their paths, locations by their addresses, so that
  // another process can read them. load throws std::runtime_error if the bytes end too soon, or name what is not
  // there; the graph is of no use then. Whether the graph is whole is for `check`.
  void save(Writer& out, const ThreadPaths& paths) const;
  void load(Reader& in, ThreadPaths& paths, Conditions& conditions);

 private:
  enum Row { kHb, kCb, kRelease, kRows };

  struct Loc {
    Value base;
    EventId accesses = kNoEvent;
    EventId co_first = kNoEvent;
    EventId co_last = kInit;
    EventId init_readers = kNoEvent;
    bool plain = false;    // has a plain (na) event
    bool touched = false;  // is in touched_
  };

  uint32_t* row(EventId e, Row r) {
    HEDDLE_ASSERT(index(e) < events_.size() && (index(e) + 1) * kRows * stride_ <= clocks_.size());
    return clocks_.data() + (index(e) * kRows + r) * stride_;
  }
  const uint32_t* row(EventId e, Row r) const {
    HEDDLE_ASSERT(index(e) < events_.size() && (index(e) + 1) * kRows * stride_ <= clocks_.size());
    return clocks_.data() + (index(e) * kRows + r) * stride_;
  }
  Event& append(ThreadId t, EventKind kind, Mode mode);
  void enter_location(EventId e, LocId l);
  void match(EventId id);
  void start_clocks(EventId e);
  void join_clocks(EventId e, EventId other);
  void copy_clocks(EventId e, const Graph& from, EventId old);
  void copy_clocks(const Graph& from, std::size_t n);
  template <class Keep>
  void copy_events(const Graph& from, std::size_t first, EventId revisited, const Keep& keep);
  void copy_links(const Graph& from, EventId unplaced);
  void forget_overtaking(std::size_t since);
  template <class AnyLoader>
  void load_event(AnyLoader& loader, Reader& in);
  template <class AnyLoader>
  void load_links(AnyLoader& loader);
  void acquire(EventId e, EventId r);
  void acquire_fence(EventId e);
  void set_release(EventId w);
  const uint32_t* release_view(EventId w) const;
  void attach(EventId r, EventId w);
  void link_reader(EventId r);
  void unlink_reader(EventId r);
  void unlink_co(EventId w);
  void remove_last();
  void count_sc(const Event& e, int by);
  void ensure_thread(ThreadId t);
  void add_thread(EventId create);
  void enter_meeting(EventId id);
  void widen(std::size_t stride);
  void make_room();
  EventId& readers_head(LocId l, EventId w) {
    return w == kInit ? locs_[index(l)].init_readers : events_[index(w)].readers;
  }

  Locations* locations_;
  Sync sync_;
  std::vector<Event> events_;
  std::vector<std::vector<EventId>> threads_;
  std::vector<EventId> created_by_;
  std::vector<ThreadId> twins_;
  std::size_t twin_count_ = 0;
  std::size_t help_count_ = 0;
  std::vector<Loc> locs_;
  std::vector<LocId> touched_;
  Meetings meetings_;
  std::vector<EventId> of_others_;  // of accesses, as are the next
  std::vector<uint64_t> serials_;
  std::vector<uint32_t> clocks_;
  uint64_t clocks_moved_ = 0;
  std::vector<EventId> renamed_;    // scratch of restrict
  std::vector<LeftOutRead> reads_;  // scratch of add_other
  std::size_t stride_ = 4;
  std::size_t sc_accesses_ = 0;
  std::size_t weak_accesses_ = 0;
  std::size_t sc_fences_ = 0;
};

}  // namespace heddle
