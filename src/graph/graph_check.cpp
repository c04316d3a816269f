// The invariants of graph.hpp, looked at one by one.
#include <algorithm>

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
      if (event.is_access()) location(e);
      if (event.kind == EventKind::join) join(e);
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

  // What is followed below must be there.
  void links() {
    for (std::size_t i = 0; i < g_.size(); ++i) {
      const Event& e = g_[EventId(i)];
      const auto is_one = [&](EventId x, auto... kinds) {
        return x == kNoEvent || (is_event(x) && ((g_[x].kind == kinds) || ...));
      };
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
      require(exists || events.empty(), "a thread that nobody has created has events");
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
    if (e.rf != kInit) readers(e.loc, e.rf);
    std::size_t times = 0;
    for (EventId x = g_.readers(e.loc, e.rf); x != kNoEvent && times < 2; x = g_[x].next_reader) times += x == r;
    require(times == 1, "a read is not among the readers of its write");
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

  // A prefix has the prefixes of what the event depends on in it, and the event as the last of its thread.
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
    const EventId before = g_.predecessor(e);
    if (before != kNoEvent) {
      require(includes(g_.hb(e), g_.hb(before)) && includes(g_.cb(e), g_.cb(before)),
              "a prefix is not closed under po");
    }
    if (event.is_read() && event.rf != kInit) {
      require(includes(g_.cb(e), g_.cb(event.rf)), "a causal prefix is not closed under rf");
      const Prefix released = g_.released(event.rf);
      const bool acquires = g_.sync().acquires(event.mode) && !released.empty();
      require(!acquires || includes(g_.hb(e), released), "an acquire does not synchronise");
    }
    if (event.kind == EventKind::join && is_event(event.rf)) {
      require(includes(g_.hb(e), g_.hb(event.rf)), "a join does not synchronise");
    }
    if (event.symb != kNoEvent) {
      require(is_event(event.symb) && includes(g_.cb(e), g_.cb(event.symb)),
              "a causal prefix is not closed under symb");
    }
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
    bool help = false;
    for (std::size_t i = 0; i < g_.size(); ++i) {
      const Event& e = g_[EventId(i)];
      sc_accesses += e.is_access() && is_sc(e.mode);
      sc_fences += e.kind == EventKind::fence && is_sc(e.mode);
      help |= e.kind == EventKind::help;
    }
    require(sc_accesses == g_.sc_accesses() && sc_fences == g_.sc_fences(), "SC events are miscounted");
    require(help == g_.has_help(), "helps are miscounted");
  }

  const Graph& g_;
  std::string broken_;
};

}  // namespace

std::string Graph::check() const { return Checker(*this).run(); }

}  // namespace heddle
