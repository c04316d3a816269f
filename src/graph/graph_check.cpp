// The invariants of graph.hpp, looked at one by one.
#include <algorithm>
#include <vector>

#include "graph/graph.hpp"

namespace heddle {
namespace {

class Checker {
 public:
  explicit Checker(const Graph& g) : g_(g) {}

  std::string run() {
    links();
    if (!broken_.empty()) return broken_;
    threads();
    for (std::size_t i = 0; i < g_.size(); ++i) {
      const auto e = EventId(i);
      const Event& event = g_[e];
      if (event.is_read()) read(e);
      if (event.is_write()) winner(e);
      if (event.is_access()) location(e);
      if (event.kind == EventKind::join) join(e);
      if (event.is_meeting()) meeting(e);
      clocks(e);
    }
    for (const LocId l : g_.touched()) {
      co(l);
      readers(l, kInit);
    }
    counts();
    return broken_;
  }

 private:
  void require(bool holds, const char* what) {
    if (!holds && broken_.empty()) broken_ = what;
  }

  bool is_event(EventId e) const { return e != kNoEvent && e != kInit && index(e) < g_.size(); }

  // Members that an event of another kind has.
  void members(const Event& e) {
    const bool help = e.kind == EventKind::help;
    const bool create = e.kind == EventKind::create;
    const bool join = e.kind == EventKind::join;
    require(e.is_read() || join || e.rf == kNoEvent, "something else than a read reads");
    require(e.is_read() || (!e.blocked && !e.revisitable), "something else than a read waits, or is in T");
    require(e.is_write() || (!e.revisited && (!e.release_row || e.is_read())),
            "something else than a write has readers or releases");
    require(e.is_access() || !e.exclusive, "something else is part of an rmw");
    require(e.is_access() || e.is_meeting() || e.kind == EventKind::choice || e.purpose == Purpose::access,
            "something else than an access or a choice has a purpose");
    require(e.is_access() || help || (e.is_meeting() == (e.loc != kNoLoc) && !e.guarded),
            "something else than an access has a location");
    require(e.kind == EventKind::free || !e.retire, "something else than a free retires");
    require(help || !e.helping, "something else than a help helps");
    require(create || join || e.child == kNoThread, "something else than a create or join names a thread");
    require(create || e.is_write() || e.twin == kNoThread, "something else than a create names a twin");
    if (e.is_read()) return;
    const bool plain = e.type == ReadType::load && e.op == RmwOp::xchg && e.await == Await::none && !e.assumed &&
                       !e.result_unused && !e.undone && !e.compared && e.mode_write == Mode::na &&
                       (help || (e.size == 0 && (e.is_meeting() || e.operand == Value{})));
    require(plain, "something else than a read is an rmw or an await");
    const bool loser = e.is_write() && e.loser != kNoThread;
    require(help || loser || e.is_meeting() || e.kind == EventKind::free || e.expected == Value{},
            "something else than a read expects a value");
    require(help || (e.mode_success == e.mode && e.mode_failure == e.mode), "an event with several modes");
    require(e.is_write() || e.is_meeting() || e.kind == EventKind::choice || e.value == Value{},
            "an event with a value");
  }

  // What is followed below must be there.
  void links() {
    for (std::size_t i = 0; i < g_.size(); ++i) {
      const Event& e = g_[EventId(i)];
      const auto is_one = [&](EventId x, auto... kinds) {
        return x == kNoEvent || (is_event(x) && ((g_[x].kind == kinds) || ...));
      };
      members(e);
      require(is_one(e.release, EventKind::write, EventKind::fence), "what a write releases is not there");
      require(is_one(e.release_fence, EventKind::fence), "a release fence is not there");
      require(is_one(e.symb, e.kind), "a twin's event is not there");
      if (e.symb != kNoEvent && broken_.empty()) {
        const Event& twin = g_[e.symb];
        require(twin.po == e.po && twin.thread == g_.twin(e.thread) && twin.own == e.own &&
                    (e.own != 0 || twin.loc == e.loc),
                "a twin's event is another one");
      }
      const bool makes_value = e.is_read() && e.type != ReadType::load;
      require(!makes_value || e.size == 1 || e.size == 2 || e.size == 4 || e.size == 8 || e.size == 16,
              "an rmw of an odd size");
      if (e.kind != EventKind::create) continue;
      require(e.child != kMain && g_.creation(e.child) == EventId(i), "a thread is created twice");
      require(g_.thread(e.child).empty() || EventId(i) < g_.thread(e.child).front(), "a thread before its creation");
    }
  }

  void threads() {
    std::size_t total = 0;
    for (std::size_t t = 0; t < g_.thread_count(); ++t) {
      const auto events = g_.thread(ThreadId(t));
      total += events.size();
      const bool exists = ThreadId(t) == kMain || g_.creation(ThreadId(t)) != kNoEvent;
      require(exists || events.empty(), "a thread that no thread has created has events");
      for (std::size_t i = 0; i < events.size() && broken_.empty(); ++i) {
        const Event& e = g_[events[i]];
        require(e.thread == ThreadId(t) && e.po == i + 1, "an event is not where its thread has it");
        // In the order of addition a thread's events are in po.
        require(i == 0 || events[i - 1] < events[i], "a thread's events are not in the order of addition");
        require(i + 1 == events.size() || !e.blocked, "a blocked read is not the last of its thread");
        require(i + 1 == events.size() || e.kind != EventKind::exit, "a thread goes on after its exit");
        const bool opens = e.is_read() && e.exclusive;
        require(!opens || i + 1 == events.size() || (g_[events[i + 1]].is_write() && g_[events[i + 1]].exclusive),
                "an exclusive read is followed by something else than its write");
        const bool closes = e.is_write() && e.exclusive;
        require(!closes || (i > 0 && g_[events[i - 1]].is_read() && g_[events[i - 1]].exclusive),
                "an exclusive write without its read");
      }
    }
    require(total == g_.size(), "an event is in no thread, or in two");
  }

  void read(EventId r) {
    const Event& e = g_[r];
    require(e.rf == kInit || is_event(e.rf), "a read reads from nothing");
    if (!broken_.empty()) return;
    require(e.rf == kInit || (g_[e.rf].is_write() && g_[e.rf].loc == e.loc), "a read reads from no write");
    require(e.value == g_.value_of(e.loc, e.rf), "a read has another value than its write");
    require(e.blocked == !satisfied(e, e.value), "a read waits without need, or does not wait");
    require(e.exclusive == becomes_exclusive(e, e.value), "a read is wrongly exclusive or not");
    require(e.winner == kNoEvent || (is_event(e.winner) && g_[e.winner].is_write() && g_[e.winner].loc == e.loc &&
                                     g_[e.winner].loser == e.thread && e.winner < r),
            "a read has lost to no write");
    require(e.await != Await::none || (!e.late && !e.assumed), "a read that does not wait is late, or assumed");
    require(!e.undone || (e.await != Await::none && (e.op == RmwOp::add || e.op == RmwOp::sub)),
            "a read is undone that does not wait, or adds nothing");
    require(!e.compared || ((e.await == Await::none || e.await == Await::holds) && e.type != ReadType::cas),
            "a read is compared that expects something else");
    if (e.confirms) {
      const EventId look = g_.look_of(r);
      require(look != kNoEvent && (e.blocked || g_[look].rf == e.rf), "a read confirms nothing");
    }
    if (!broken_.empty()) return;
    if (e.rf != kInit) readers(e.loc, e.rf);
    std::size_t times = 0;
    for (EventId x = g_.readers(e.loc, e.rf); x != kNoEvent && times < 2; x = g_[x].next_reader) times += x == r;
    require(times == 1, "a read is not among the readers of its write");
  }

  void winner(EventId w) {
    const Event& e = g_[w];
    if (e.loser == kNoThread) return;
    const bool exists = e.loser == kMain || (index(e.loser) < g_.thread_count() && g_.creation(e.loser) != kNoEvent);
    require(exists && e.loss.events <= index(w) && e.revisited, "an await has lost to a write that did not revisit it");
  }

  void readers(LocId l, EventId w) {
    std::size_t length = 0;
    for (EventId x = g_.readers(l, w); x != kNoEvent && broken_.empty(); x = g_[x].next_reader) {
      require(++length <= g_.size() && g_[x].is_read() && g_[x].loc == l && g_[x].rf == w,
              "a list of readers has something else in it");
    }
  }

  void location(EventId e) {
    bool found = false;
    for (EventId x = g_.accesses(g_[e].loc); x != kNoEvent && !found; x = g_[x].loc_prev) {
      found = x == e;
      require(g_[x].loc_prev == kNoEvent || g_[x].loc_prev < x, "accesses of a location are not in order");
      if (!broken_.empty()) return;
    }
    require(found, "an access is not among those of its location");
    EventId others = g_[e].loc_prev;
    while (others != kNoEvent && g_[others].thread == g_[e].thread) others = g_[others].loc_prev;
    require(others == g_.others_before(e), "the access of another thread before this one is another");
  }

  void join(EventId e) {
    require(is_event(g_[e].rf) && g_[g_[e].rf].kind == EventKind::exit && g_[g_[e].rf].thread == g_[e].child,
            "a join without an exit");
  }

  // Arrivals, looks and leaves as graph/meetings.hpp has them.
  void meeting(EventId e) {
    const Event& event = g_[e];
    if (event.kind == EventKind::leave)
      return require(g_.is_full(Graph::meeting(event), event.operand.lo), "a leave before all have arrived");
    bool found = false;
    for (EventId a = g_.last_at(Graph::meeting(event)); a != kNoEvent && !found; a = g_[a].loc_prev) {
      found = a == e;
      require(g_[a].loc_prev == kNoEvent || g_[a].loc_prev < a, "arrivals are not in order");
      if (!broken_.empty()) return;
    }
    require(found, "an arrival is not among those of its meeting");
    std::vector<uint32_t> before(g_.hb(e).begin(), g_.hb(e).end());
    --before[index(event.thread)];
    const Gathering known = g_.gathered(Graph::meeting(event), before);
    const bool look = event.kind == EventKind::look;
    require(event.value == Value{known.phase, look ? known.arrived : 0}, "an arrival in another phase");
  }

  void co(LocId l) {
    EventId before = kInit;
    uint32_t position = 0;
    for (EventId w = g_.co_first(l); w != kNoEvent && broken_.empty(); w = g_[w].co_next) {
      require(g_[w].is_write() && g_[w].loc == l && g_[w].co_prev == before && g_[w].co == ++position,
              "co is no total order of the writes of a location");
      before = w;
    }
    require(g_.co_last(l) == before, "the last write in co is another one");
  }

  // A prefix is made of the prefixes of what the event depends on, and of the event as the last of its thread.
  void clocks(EventId e) {
    if (!broken_.empty()) return;
    const Event& event = g_[e];
    for (const Prefix p : {g_.hb(e), g_.cb(e)}) {
      require(p[index(event.thread)] == event.po, "a prefix does not end with its event");
      for (std::size_t t = 0; t < p.size(); ++t) {
        require(p[t] <= g_.thread(ThreadId(t)).size(), "a prefix has events that are not there");
      }
    }
    require(includes(g_.cb(e), g_.hb(e)), "hb is not part of cb");
    if (event.is_read() && is_event(event.rf)) {
      require(!event.release_row || includes(g_.released(event.rf), g_.acquired(e)), "a read acquires too much");
    }
    if (event.symb != kNoEvent) {
      require(is_event(event.symb) && includes(g_.cb(e), g_.cb(event.symb)),
              "a causal prefix is not closed under symb");
    }
    if (!broken_.empty()) return;
    const EventId before = g_.predecessor(e);
    std::vector<uint32_t> hb(g_.hb(e).size());
    std::vector<uint32_t> cb(g_.cb(e).size());
    if (before != kNoEvent) add(hb, g_.hb(before));
    if (before != kNoEvent) add(cb, g_.cb(before));
    hb[index(event.thread)] = cb[index(event.thread)] = event.po;
    if (is_event(event.rf)) add(cb, g_.cb(event.rf));
    if (event.kind == EventKind::join && is_event(event.rf)) add(hb, g_.hb(event.rf));
    if (event.kind == EventKind::leave) {
      g_.for_each_arrival(e, [&](EventId a) {
        add(hb, g_.hb(a));
        add(cb, g_.cb(a));
      });
    }
    if (event.is_read() && is_event(event.rf) && g_.sync().acquires(event.mode)) add(hb, g_.acquired(e));
    if (event.kind == EventKind::fence && is_acquire(event.mode)) {
      for (uint32_t po = event.po; --po > 0;) add_acquired(hb, g_.event(event.thread, po));
    }
    require(includes(hb, g_.hb(e)) && includes(g_.hb(e), hb), "hb is not what its parts make of it");
    require(includes(g_.cb(e), cb), "a causal prefix is not closed under po and rf");
    // The twin's rmw counts as a whole if it was so when the event was added.
    if (event.symb != kNoEvent) add(cb, g_.cb(g_.end_of_rmw(event.symb)));
    require(includes(cb, g_.cb(e)), "a causal prefix has more in it than it depends on");
    release(e, before);
  }

  // (rf ; [R⊒rlx] ; po ; [F⊒acq])
  void add_acquired(std::vector<uint32_t>& hb, EventId r) {
    const Event& e = g_[r];
    if (e.is_read() && is_atomic(e.mode) && is_event(e.rf)) add(hb, g_.acquired(r));
  }

  // What an acquire of the event synchronises with.
  void release(EventId e, EventId before) {
    const Event& event = g_[e];
    const EventId inherited = event.po > 1 ? g_[before].release_fence : kNoEvent;
    const bool fences = event.kind == EventKind::fence && is_release(event.mode);
    require(event.release_fence == (fences ? e : inherited), "the latest release fence is another one");
    if (!event.is_write()) return require(event.release == kNoEvent, "something else than a write releases");
    const EventId own = !is_atomic(event.mode) ? kNoEvent : g_.sync().releases(event.mode) ? e : event.release_fence;
    const EventId head = event.exclusive ? g_[before].rf : kNoEvent;
    const Prefix of_head = is_event(head) ? g_.released(head) : Prefix();
    std::vector<uint32_t> view(g_.hb(e).size());
    if (own != kNoEvent) add(view, g_.hb(own));
    add(view, of_head);
    const Prefix released = g_.released(e);
    require(released.empty() == (own == kNoEvent && of_head.empty()) && includes(view, released) &&
                includes(released, view),
            "a write releases something else than it should");
  }

  static void add(std::vector<uint32_t>& to, Prefix prefix) {
    for (std::size_t t = 0; t < std::min(to.size(), prefix.size()); ++t) to[t] = std::max(to[t], prefix[t]);
  }

  static bool includes(Prefix large, Prefix small) {
    for (std::size_t t = 0; t < small.size(); ++t) {
      if (small[t] > (t < large.size() ? large[t] : 0)) return false;
    }
    return true;
  }

  void counts() {
    std::size_t sc_accesses = 0;
    std::size_t sc_fences = 0;
    std::size_t weak_accesses = 0;
    bool help = false;
    bool twins = false;
    for (std::size_t i = 0; i < g_.size(); ++i) {
      const Event& e = g_[EventId(i)];
      sc_accesses += e.is_access() && is_sc(e.mode);
      sc_fences += e.kind == EventKind::fence && is_sc(e.mode);
      weak_accesses += e.is_access() && !(is_sc(e.mode_success) && is_sc(e.mode_failure));
      help |= e.kind == EventKind::help;
      twins |= e.kind == EventKind::create && e.twin != kNoThread;
      require(!e.is_access() || e.mode != Mode::na || g_.has_plain(e.loc), "a plain access is forgotten");
    }
    require(sc_accesses == g_.sc_accesses() && sc_fences == g_.sc_fences(), "SC events are miscounted");
    require(weak_accesses == g_.weak_accesses(), "accesses that are not SC are miscounted");
    require(help == g_.has_help(), "helps are miscounted");
    require(twins == g_.has_twins(), "twins are miscounted");
  }

  const Graph& g_;
  std::string broken_;
};

}  // namespace

std::string Graph::check() const { return Checker(*this).run(); }

}  // namespace heddle
