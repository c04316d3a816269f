#include "explore/judge/taken_back.hpp"

#include <algorithm>
#include <utility>

#include "core/assert.hpp"
#include "core/hash.hpp"
#include "explore/judge/earlier_rounds.hpp"
#include "explore/progress.hpp"
#include "models/coherence.hpp"

namespace heddle {
namespace {

// The events of the round at the end of which t has stopped: after so many of t. All of them, if it has not.
std::size_t begin_of_round(const Graph& g, Machine& machine, ThreadId t) {
  const std::size_t n = g.thread(t).size();
  const Action& a = machine.pending(t);
  return a.kind == ActionKind::block && a.reason == BlockReason::spin ? n - std::min<std::size_t>(a.round, n) : n;
}

bool alters(const Graph& g, EventId w) {
  return g[w].is_write() && !(g[w].exclusive && g[g.predecessor(w)].value == g[w].value);
}

// Whether the value that a read finds makes a difference to its thread.
bool decides(const Event& e) {
  return e.is_read() && !e.blocked && !(e.type == ReadType::rmw && e.result_unused && e.await == Await::none);
}

// Whether a read goes on alike with either value.
bool decides_alike(const Event& e, Value v, Value other) {
  if (v == other) return true;
  if (satisfied(e, v) != satisfied(e, other)) return false;
  if (e.await != Await::none && e.result_unused) return true;
  return e.compared && (v == expected_by(e)) == (other == expected_by(e));
}

// Codes of promises: of a value that is read or there in passing; of one that is compared with a number; of a value
// that a place has before and after a round; of threads that run the same.
constexpr uint32_t kAny = 0;
uint32_t code(std::initializer_list<uint64_t> numbers) {
  Hash hash;
  for (const uint64_t n : numbers) hash.add(n);
  return (hash.value() & (RestingPlace::kRest - 1)) | 1;
}
uint32_t code_of(Value v) { return code({0, v.lo, v.hi}); }
uint32_t code_of_compared(Value v, Value with) { return code({1, v.lo, v.hi, with.lo, with.hi}); }
uint32_t code_of_rest(Value v) { return code({2, v.lo, v.hi}); }
uint32_t any_rest() { return code({3}); }
uint32_t code_of_count() { return code({4}); }

}  // namespace

class PassingSearch {
 public:
  PassingSearch(TakenBack& all, const Graph& g, Machine& machine) : all_(all), g_(g), machine_(machine) {}

  bool run() {
    const auto& watched = machine_.assumed().taken;
    find_rounds();
    if (watched.empty() && std::ranges::all_of(rounds_, [](const Round& r) { return r.writes.empty(); })) return false;
    bool is_new = false;
    for (const Round& r : rounds_) {
      for (const EventId w : r.writes) {
        const Address place = place_of(g_[w].loc);
        is_new |= !std::ranges::binary_search(watched, place);
        all_.says(Promise::What::place, false, place, machine_.code(r.thread) + 1);
      }
    }
    if (is_new) return true;
    bool seen = false;
    for (const LocId l : g_.touched()) {
      if (!g_.seen(l) || !is_watched(l)) continue;
      if (is_seen(l)) seen = note_seen(l);
      note_reads(l);
    }
    for (const Round& r : rounds_) note_round(r);
    return seen || all_.breaks();
  }

  // Whether a thread that waits, or goes round, may find what the rounds of others have there in passing.
  bool ends_wait() {
    find_rounds();
    bool ends = false;
    for (const LocId l : g_.touched()) {
      if (!g_.seen(l)) continue;
      for (EventId e = g_.accesses(l); e != kNoEvent; e = g_[e].loc_prev) {
        if (g_[e].is_read() && goes_round(e) && may_find_passing(e)) ends = note_seen(l);
      }
    }
    return ends;
  }

 private:
  struct Round {
    ThreadId thread;
    std::size_t begin;
    std::vector<EventId> writes;  // that alter something
  };

  // What a location has without some rounds, at each place of co.
  struct Left {
    EventId write;
    Value value;
  };

  void find_rounds() {
    for (const ThreadId t : machine_.threads()) {
      if (!exists(g_, t)) continue;
      Round r{t, begin_of_round(g_, machine_, t), {}};
      const auto events = g_.thread(t);
      for (std::size_t i = r.begin; i < events.size(); ++i) {
        if (alters(g_, events[i]) && g_[events[i]].purpose == Purpose::access) r.writes.push_back(events[i]);
      }
      if (r.begin != events.size()) rounds_.push_back(std::move(r));
    }
  }

  Address place_of(LocId l) const { return machine_.common_place(g_.address(l)); }
  // Rounds that write there are left out, or some of them.
  bool is_watched(LocId l) const {
    const Assumptions& a = machine_.assumed();
    const Address place = place_of(l);
    return std::ranges::binary_search(a.taken, place) && !std::ranges::binary_search(a.kept, RestingPlace{place, kAny});
  }
  const Round* round_of(EventId e) const {
    const auto it = std::ranges::find(rounds_, g_[e].thread, &Round::thread);
    return it != rounds_.end() && g_[e].po > it->begin ? &*it : nullptr;
  }
  bool writes_to(const Round& r, LocId l) const {
    return std::ranges::any_of(r.writes, [&](EventId w) { return g_[w].loc == l; });
  }
  bool is_last_write(const Round& r, EventId w) const {
    for (auto it = r.writes.rbegin(); it != r.writes.rend(); ++it) {
      if (g_[*it].loc == g_[w].loc) return *it == w;
    }
    return false;
  }

  // Without all rounds, or all but one.
  std::vector<Left> without_rounds(LocId l, const Round* but) const {
    std::vector<Left> left{{kInit, g_.base(l)}};
    for (EventId w = g_.co_first(l); w != kNoEvent; w = g_[w].co_next) {
      const Round* const r = round_of(w);
      const Left before = left.back();
      if (r != nullptr && r != but) {
        left.push_back(before);
      } else if (!g_[w].exclusive) {
        left.push_back({w, g_[w].value});
      } else {
        const Event& read = g_[g_.predecessor(w)];
        const bool is_rmw = read.type == ReadType::rmw;
        left.push_back({w, is_rmw ? apply(read.op, before.value, read.operand, read.size) : g_[w].value});
      }
    }
    return left;
  }

  // Whether e is of a round that its thread would do again, or it waits there.
  bool goes_round(EventId e) const {
    if (round_of(e) != nullptr) return true;
    const EventId last = g_.last(g_[e].thread);
    if (!g_[last].is_read() || !g_[last].blocked) return false;
    const Action& a = machine_.pending(g_[e].thread);
    return g_[e].po + (is_read(a.kind) ? a.round : 0) >= g_[last].po;
  }
  bool may_find_passing(EventId r) const {
    return std::ranges::any_of(rounds_, [&](const Round& round) {
      return round.thread != g_[r].thread && std::ranges::any_of(round.writes, [&](EventId w) {
               if (g_[w].loc != g_[r].loc || g_[w].value == g_[r].value) return false;
               return g_[r].blocked ? satisfied(g_[r], g_[w].value) : !decides_alike(g_[r], g_[r].value, g_[w].value);
             });
    });
  }

  bool note_seen(LocId l) {
    for (const Round& r : rounds_) {
      if (!writes_to(r, l)) continue;
      const uint32_t rest = only_updates(r, l) ? kAny : RestingPlace::code(last_value(r, l));
      for (const bool broken : {false, true}) all_.says(Promise::What::passing, broken, place_of(l), rest);
    }
    return true;
  }

  bool is_seen(LocId l) const {
    if (std::ranges::any_of(rounds_, [&](const Round& r) { return writes_to(r, l); })) {
      const std::vector<Left> left = without_rounds(l, nullptr);
      for (const Round& r : rounds_) {
        if (writes_to(r, l) && !takes_back(r, l, left)) return true;
      }
      for (EventId e = g_.accesses(l); e != kNoEvent; e = g_[e].loc_prev) {
        if (g_[e].is_read() && !finds_the_same(e, left)) return true;
      }
    }
    return false;
  }

  // Whether what the round has written to l is gone; or it counts, and no thread looks.
  bool takes_back(const Round& r, LocId l, const std::vector<Left>& left) const {
    if (!counts(r, l)) {
      const uint32_t last = g_[last_write(r, l)].co;
      // Not while another round is in between: it comes to its end later.
      const auto is_between = [&](const Round& other) {
        return writes_to(other, l) && g_[first_write(other, l)].co <= last && last < g_[last_write(other, l)].co;
      };
      const bool alone = std::ranges::none_of(rounds_, is_between);
      return !alone || left[last].value == g_[last_write(r, l)].value;
    }
    for (EventId e = g_.accesses(l); e != kNoEvent; e = g_[e].loc_prev) {
      if (decides(g_[e]) || (g_[e].is_read() && g_[e].blocked)) return false;
    }
    return true;
  }
  bool only_updates(const Round& r, LocId l) const {
    return std::ranges::all_of(r.writes, [&](EventId w) { return g_[w].loc != l || g_[w].exclusive; });
  }
  // Whether its updates of l leave something.
  bool counts(const Round& r, LocId l) const {
    uint64_t difference = 0;
    unsigned bits = 64;
    for (const EventId w : r.writes) {
      if (g_[w].loc != l) continue;
      if (!g_[w].exclusive) return false;
      const Event& read = g_[g_.predecessor(w)];
      difference += g_[w].value.lo - read.value.lo;
      bits = std::min(bits, 8u * read.size);
    }
    return (bits < 64 ? difference & ((uint64_t{1} << bits) - 1) : difference) != 0;
  }

  bool finds_the_same(EventId e, const std::vector<Left>& left) const {
    if (!decides(g_[e])) return true;
    const Round* const r = round_of(e);
    const std::size_t place = g_.co_position(g_[e].rf);
    const Value value =
        r != nullptr && writes_to(*r, g_[e].loc) ? without_rounds(g_[e].loc, r)[place].value : left[place].value;
    if (decides_alike(g_[e], g_[e].value, value)) return !gains(e);
    return r != nullptr && only_takes_back_after(*r, e);
  }

  // Whether e would synchronise with more if the rounds' stores did not cut release sequences.
  bool gains(EventId e) const {
    if (!may_acquire(e)) return false;
    const auto hb = g_.hb(e);
    bool cut = false;
    for (EventId w = g_[e].rf; w != kInit; w = g_[w].co_prev) {
      if (round_of(w) != nullptr) {
        cut |= !g_[w].exclusive;
        continue;
      }
      const auto view = g_.released(w);
      for (std::size_t t = 0; cut && t < view.size(); ++t) {
        if (view[t] > hb[t]) return true;
      }
      if (!g_[w].exclusive) return false;
    }
    return false;
  }
  bool may_acquire(EventId e) const {
    if (g_.sync().acquires(g_[e].mode)) return true;
    const auto events = g_.thread(g_[e].thread);
    return std::any_of(events.begin() + g_[e].po, events.end(),
                       [&](EventId f) { return g_[f].kind == EventKind::fence && g_.sync().acquires(g_[f].mode); });
  }

  bool only_takes_back_after(const Round& r, EventId e) const {
    if (g_[e].exclusive && alters(g_, g_.event(g_[e].thread, g_[e].po + 1))) return false;
    const auto events = g_.thread(r.thread);
    for (std::size_t i = g_[e].po; i < events.size(); ++i) {
      const Event& x = g_[events[i]];
      if (x.is_write() && x.exclusive && g_.predecessor(events[i]) == e) continue;
      const bool harmless = x.is_write()  ? is_last_write(r, events[i])
                            : x.is_read() ? !decides(x) && !x.blocked
                                          : x.kind == EventKind::fence || x.kind == EventKind::free;
      if (!harmless) return false;
    }
    return true;
  }

  // If e depends on what another thread has done after a round, and may have met that round all the same: the values
  // that were there before the round, as far as is known.
  void note_earlier(EventId e) {
    const EventId before = g_.predecessor(e);
    if (before == kNoEvent) return;
    const LocId l = g_[e].loc;
    for (const ThreadId t : machine_.threads()) {
      if (t == g_[e].thread) continue;
      const std::optional<uint32_t> begin = last_round_in_window(g_, machine_, before, t);
      if (!begin) continue;
      const uint32_t end = first_place_after(t, *begin, l);
      // Not after what t has done after the round.
      const auto note = [&](EventId w) {
        if (w != kInit && porf_of(g_, w, t) > *begin) return;
        if (g_.co_position(w) < end)
          all_.says(Promise::What::passing, true, place_of(l), code_of_rest(g_.value_of(l, w)));
      };
      if (hb_floor(g_, e) < end) all_.says(Promise::What::passing, true, place_of(l), any_rest());
      if (g_[e].is_write()) {
        note(g_[e].co_prev);
        continue;
      }
      for (EventId w = kInit; w != kNoEvent; w = g_.co_next(l, w)) {
        if (g_.co_position(w) >= hb_floor(g_, e)) note(w);
      }
    }
  }
  // Of t's accesses to l after so many events.
  uint32_t first_place_after(ThreadId t, uint32_t begin, LocId l) const {
    const auto events = g_.thread(t);
    for (std::size_t i = begin; i < events.size(); ++i) {
      const Event& x = g_[events[i]];
      if (x.is_access() && x.loc == l) return x.is_write() ? x.co : g_.co_position(x.rf);
    }
    return UINT32_MAX;
  }

  // Promises.

  void note_round(const Round& r) {
    const bool meets = has_met(r);
    for (const EventId w : r.writes) {
      const LocId l = g_[w].loc;
      const Address place = place_of(l);
      const auto promise = [&](uint32_t code) { all_.says(Promise::What::passing, false, place, code); };
      const bool any = adds(r, l) || counts(r, l);
      const Value rest = last_value(r, l);
      promise(any ? any_rest() : code_of_rest(rest));
      if (counts(r, l)) promise(code_of_count());
      if (!meets) continue;
      if (any) promise(kAny);
      if (any || is_last_write(r, w)) continue;
      promise(code_of(g_[w].value));
      for (const Value with : {g_[w].value, rest}) promise(code_of_compared(g_[w].value, with));
    }
  }
  EventId first_write(const Round& r, LocId l) const {
    return *std::ranges::find_if(r.writes, [&](EventId w) { return g_[w].loc == l; });
  }
  EventId last_write(const Round& r, LocId l) const {
    return *std::find_if(r.writes.rbegin(), r.writes.rend(), [&](EventId w) { return g_[w].loc == l; });
  }
  Value last_value(const Round& r, LocId l) const { return g_[last_write(r, l)].value; }
  bool adds(const Round& r, LocId l) const {
    return std::ranges::all_of(r.writes, [&](EventId w) {
      if (g_[w].loc != l) return true;
      return g_[w].exclusive && g_[g_.predecessor(w)].type == ReadType::rmw;
    });
  }
  // Whether it has read of another thread where rounds of several threads may meet. That they do is found out so, too.
  bool has_met(const Round& r) {
    bool meets = false;
    const auto events = g_.thread(r.thread);
    for (std::size_t i = r.begin; i < events.size(); ++i) {
      const Event& e = g_[events[i]];
      if (!decides(e) || e.rf == kInit || g_[e.rf].thread == r.thread || !is_watched(e.loc)) continue;
      const Address place = place_of(e.loc);
      if (std::ranges::binary_search(machine_.assumed().met, place)) {
        meets = true;
      } else {
        all_.says(Promise::What::place, true, place, machine_.code(g_[e.rf].thread) + 1);
      }
    }
    return meets;
  }

  // What threads read of each other at l, or write over, and then do something else than take back.
  void note_reads(LocId l) {
    const Address place = place_of(l);
    for (EventId e = g_.accesses(l); e != kNoEvent; e = g_[e].loc_prev) {
      if (!all_.porf_is_hb_ && (decides(g_[e]) || (g_[e].is_write() && !g_[e].exclusive))) note_earlier(e);
      if (g_[e].is_read() && (decides(g_[e]) || g_[e].blocked))
        all_.says(Promise::What::passing, true, place, code_of_count());
      EventId w = kInit;
      if (g_[e].is_read()) {
        w = g_[e].blocked ? kInit : g_[e].rf;
      } else if (!g_[e].exclusive) {
        w = g_[e].co_prev;
        while (w != kInit && g_[w].exclusive && !alters(g_, w)) w = g_[w].co_prev;
      }
      if (w == kInit || g_[w].thread == g_[e].thread) continue;
      const Round* const r = round_of(e);
      if (r != nullptr && g_[e].is_read() && only_takes_back_after(*r, e)) continue;
      const auto against = [&](uint32_t code) { all_.says(Promise::What::passing, true, place, code); };
      const Value v = g_[w].value;
      against(g_[e].is_read() && g_[e].compared ? code_of_compared(v, expected_by(g_[e])) : code_of(v));
      const bool adds = g_[e].is_read() && (g_[e].op == RmwOp::add || g_[e].op == RmwOp::sub);
      if (!adds || decides(g_[e])) against(kAny);
    }
  }
  TakenBack& all_;
  const Graph& g_;
  Machine& machine_;
  std::vector<Round> rounds_;
};

bool TakenBack::may_end_wait(const Graph& g, Machine& machine) {
  return machine.assumed().taken_back && PassingSearch(*this, g, machine).ends_wait();
}

bool TakenBack::is_seen(const Graph& g, Machine& machine) {
  return machine.assumed().taken_back && PassingSearch(*this, g, machine).run();
}

bool TakenBack::takes_back(const Graph& g, Machine& machine, ThreadId t) {
  const auto events = g.thread(t);
  return std::any_of(events.begin() + static_cast<std::ptrdiff_t>(begin_of_round(g, machine, t)), events.end(),
                     [&](EventId e) { return alters(g, e); });
}

bool TakenBack::breaks() {
  if (std::exchange(compared_, made_.size() + broken_.size()) == made_.size() + broken_.size()) return false;
  return std::ranges::any_of(made_, [&](const Said& said) { return broken_.contains(said); });
}

void TakenBack::list(std::vector<Promise>& all) const {
  for (const bool broken : {false, true}) {
    for (const Said& said : broken ? broken_ : made_) all.push_back({said.what, broken, said.place, 1, said.code});
  }
}

}  // namespace heddle
