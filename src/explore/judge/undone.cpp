#include "explore/judge/undone.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/add_once.hpp"
#include "core/assert.hpp"

namespace heddle {
namespace {

constexpr std::size_t kMost = 256;  // values or sums; where there are more, one may be seen

// What follows from the program's own order alone: of one thread, of a creation, of a join.
class ProgramOrder {
 public:
  explicit ProgramOrder(const Graph& g) : g_(g), threads_(g.thread_count()) {
    clocks_.resize(g.size() * threads_);
    for (std::size_t i = 0; i < g.size(); ++i) {
      const Event& e = g[EventId(i)];
      add(i, g.predecessor(EventId(i)));
      if (e.kind == EventKind::join) add(i, e.rf);
      clocks_[i * threads_ + index(e.thread)] = e.po;
    }
  }

  bool before(EventId a, EventId b) const {
    return a != b && g_[a].po <= clocks_[index(b) * threads_ + index(g_[a].thread)];
  }

 private:
  void add(std::size_t to, EventId from) {
    if (from == kNoEvent || from == kInit) return;
    for (std::size_t t = 0; t < threads_; ++t) {
      uint32_t& there = clocks_[to * threads_ + t];
      there = std::max(there, clocks_[index(from) * threads_ + t]);
    }
  }

  const Graph& g_;
  const std::size_t threads_;
  std::vector<uint32_t> clocks_;
};

// Rounds that may have been made before a thread left its loop, or while it waits.
struct Rounds {
  EventId left;    // r
  EventId before;  // the last event before them; kNoEvent: none
  ThreadId thread;
  Value adds;
  std::size_t from = 0;  // places where they can be
  std::size_t to = 0;
  std::size_t open = ~std::size_t{0};  // the first place where one can begin, so far as is known
};

// A place is one in the order of writes, or several of which the order is not known.
class UndoneSearch {
 public:
  UndoneSearch(const Graph& g, CoOf co) : g_(g), co_(co) {
    if (co == CoOf::by_values) program_order_.emplace_back(g);
  }

  bool run() {
    return std::ranges::any_of(g_.touched(), [&](LocId l) { return g_.seen(l) && is_seen(l); });
  }

 private:
  bool is_seen(LocId l) {
    rounds_.clear();
    for (EventId e = g_.accesses(l); e != kNoEvent; e = g_[e].loc_prev) {
      if (g_[e].is_read() && g_[e].undone)
        rounds_.push_back({.left = e, .before = {}, .thread = g_[e].thread, .adds = {}});
    }
    if (rounds_.empty()) return false;
    if (g_.has_help()) return true;
    size_ = g_[rounds_[0].left].size;
    too_many_ = false;
    find_places(l);
    for (Rounds& r : rounds_) place(l, r);
    for (bool more = true; more && !too_many_;) {
      more = false;
      for (Rounds& r : rounds_) more |= opens(r);
    }
    for (EventId e = g_.accesses(l); e != kNoEvent && !too_many_; e = g_[e].loc_prev) {
      if (g_[e].is_read() ? read_sees(e) : store_sees(e)) return true;
    }
    return too_many_;
  }

  // Places.

  void find_places(LocId l) {
    values_.assign(1, {g_.base(l)});
    place_.assign(1, 0);
    for (EventId w = g_.co_first(l); w != kNoEvent; w = g_[w].co_next) {
      const bool same = co_ == CoOf::none || co_ == CoOf::by_values || (co_ == CoOf::classes && commutes(w));
      if (!same) values_.emplace_back();
      std::vector<Value>& values = values_.back();
      if (same && co_ == CoOf::classes) {
        const Event& read = g_[g_.predecessor(w)];
        for (std::size_t n = values.size(); n-- > 0;) add(values, apply(read.op, values[n], read.operand, read.size));
      } else {
        add(values, g_[w].value);
      }
      HEDDLE_ASSERT(g_.co_position(w) == place_.size() || co_ == CoOf::none);
      place_.push_back(values_.size() - 1);
    }
    if (co_ != CoOf::none) return;
    for (EventId e = g_.accesses(l); e != kNoEvent; e = g_[e].loc_prev) {
      if (g_[e].is_write()) add(values_[0], g_[e].value);
    }
  }
  bool commutes(EventId w) const {
    if (!g_[w].exclusive) return false;
    const Event& read = g_[g_.predecessor(w)];
    return read.type == ReadType::rmw && read.result_unused && read.await == Await::none;
  }
  void add(std::vector<Value>& values, Value v) {
    add_once(values, v);
    too_many_ |= values.size() > kMost;
  }
  std::size_t place_of(EventId w) const { return co_ == CoOf::none ? 0 : place_[g_.co_position(w)]; }
  std::size_t place_read(EventId r) const { return place_of(g_[r].rf); }
  std::size_t last_place() const { return values_.size() - 1; }
  // Where an access that comes after e can be.
  std::size_t first_place(LocId l, EventId e) const {
    std::size_t first = 0;
    for (EventId w = g_.accesses(l); w != kNoEvent && e != kNoEvent; w = g_[w].loc_prev) {
      if (g_[w].is_write() && (w == e || before(w, e))) first = std::max(first, place_of(w));
    }
    return first;
  }
  bool before(EventId a, EventId b) const {
    return program_order_.empty() ? g_.hb(a, b) : program_order_.front().before(a, b);
  }

  // Rounds.

  // A round does nothing before it adds but read, and order what it reads.
  void place(LocId l, Rounds& r) const {
    const Event& left = g_[r.left];
    uint32_t po = left.po;
    const auto may_be_of_round = [&](const Event& e) {
      return (e.is_read() && !e.exclusive) || e.kind == EventKind::fence;
    };
    while (po > 1 && may_be_of_round(g_[g_.event(left.thread, po - 1)])) --po;
    r.before = g_.predecessor(left.thread, po);
    r.adds = apply(left.op, {}, left.operand, left.size);
    r.from = first_place(l, r.before);
    r.to = left.blocked ? last_place() : place_read(r.left);
  }

  // Whether a round can begin earlier than was known.
  bool opens(Rounds& r) {
    for (std::size_t p = r.from; p <= r.to && p < r.open; ++p) {
      const std::vector<Value> sums = sums_at(p, p, r.thread, [](const Rounds&) { return true; });
      for (const Value v : values_[p]) {
        if (std::ranges::all_of(sums, [&](Value s) { return satisfied(g_[r.left], plus(v, s)); })) continue;
        r.open = p;
        return true;
      }
    }
    return false;
  }

  // What rounds of other threads may have added at a place, and not yet taken back at a later one: sums of one for each
  // thread, or none.
  template <class Possible>
  std::vector<Value> sums_at(std::size_t p, std::size_t until, ThreadId t, const Possible& possible) {
    std::vector<Value> sums{Value{}};
    std::vector<ThreadId> done{t};
    for (const Rounds& r : rounds_) {
      if (std::ranges::find(done, r.thread) != done.end()) continue;
      done.push_back(r.thread);
      std::vector<Value> more = sums;
      for (const Rounds& other : rounds_) {
        if (other.thread != r.thread || other.open > p || other.to < until || !possible(other)) continue;
        for (const Value s : sums) add(more, plus(s, other.adds));
      }
      sums = std::move(more);
    }
    return sums;
  }
  // At the event e, whose thread may have come there since `since`.
  std::vector<Value> sums_at(std::size_t p, std::size_t until, EventId e, EventId since) {
    return sums_at(p, until, g_[e].thread, [&](const Rounds& r) {
      if (r.before == e || (r.before != kNoEvent && before(e, r.before))) return false;
      return since == kNoEvent || (r.left != since && !before(r.left, since));
    });
  }
  Value plus(Value v, Value s) const { return apply(RmwOp::add, v, s, size_); }

  // What sees them.

  bool read_sees(EventId e) {
    const Event& r = g_[e];
    if (r.size != size_) return true;
    if (r.await != Await::none && may_miss(e)) return true;
    if (r.blocked) return false;
    const std::size_t p = place_read(e);
    const std::vector<Value> sums = sums_at(p, p, e, e);
    return std::ranges::any_of(sums, [&](Value s) {
      if (s == Value{} || !satisfied(r, plus(r.value, s))) return false;
      if (!r.result_unused) return true;
      const bool any_order = co_ == CoOf::classes && r.await == Await::none;  // it may have read another value
      const auto keeps = [&](Value v) { return this->keeps(r, v, s); };
      return r.exclusive && !(any_order ? std::ranges::all_of(values_[p], keeps) : keeps(r.value));
    });
  }
  // Whether the rmw r leaves what has been added.
  bool keeps(const Event& r, Value v, Value s) const {
    return r.type == ReadType::rmw &&
           apply(r.op, plus(v, s), r.operand, size_) == plus(apply(r.op, v, r.operand, size_), s);
  }

  // Whether an await would have gone on with what rounds have added.
  bool may_miss(EventId e) {
    const Event& r = g_[e];
    const EventId since = g_.predecessor(e);
    const std::size_t end = r.blocked ? last_place() : place_read(e);
    for (std::size_t p = first_place(r.loc, since); p <= end; ++p) {
      const std::vector<Value> sums = sums_at(p, p, e, since);
      for (const Value v : values_[p]) {
        if (satisfied(r, v)) continue;
        if (std::ranges::any_of(sums, [&](Value s) { return satisfied(r, plus(v, s)); })) return true;
      }
    }
    return false;
  }

  // A store does not leave what has been added.
  bool store_sees(EventId e) {
    if (g_[e].exclusive) return false;  // its read is looked at
    const std::size_t p = place_of(e);
    const bool known = co_ == CoOf::all || co_ == CoOf::classes;
    return sums_at(known ? p - 1 : p, p, e, e).size() > 1;
  }

  const Graph& g_;
  const CoOf co_;
  std::vector<ProgramOrder> program_order_;  // one, of by_values
  uint8_t size_ = 0;                         // of the location
  std::vector<Rounds> rounds_;               // of the location
  std::vector<std::vector<Value>> values_;   // of each place
  std::vector<std::size_t> place_;           // of each position in co
  bool too_many_ = false;
};

}  // namespace

bool sees_undone(const Graph& g, CoOf co) { return UndoneSearch(g, co).run(); }

}  // namespace heddle
