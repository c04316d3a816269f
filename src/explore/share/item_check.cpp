#include "explore/share/item_check.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "explore/replay/replay.hpp"

namespace heddle {
namespace {

[[noreturn]] void refuse() { throw std::runtime_error("it does not fit the program"); }

void require(bool holds) {
  if (!holds) refuse();
}

class Agreement {
 public:
  Agreement(const Graph& g, Machine& machine) : g_(g), machine_(machine), failed_(g.thread_count()) {}

  void run(EventId last, std::span<const EventId> revisited, uint32_t choice) {
    machine_.restart();
    std::vector<uint32_t> done(g_.thread_count());
    for (const Run& run : schedule_(g_, index(last), revisited)) {
      const auto events = g_.thread(run.thread);
      for (uint32_t i = run.from; i < run.to; i += action_width(g_, events, i)) perform(events[i]);
      done[index(run.thread)] = run.to;
    }
    // Of each thread at most one action is left, which it is about to do.
    for (std::size_t t = 0; t < done.size(); ++t) {
      const auto events = g_.thread(ThreadId(t));
      if (done[t] == events.size()) continue;
      require(events.size() - done[t] == action_width(g_, events, done[t]));
      look_at(events[done[t]], last, choice);
    }
  }

 private:
  // In another order than before, an error may show earlier. It is one all the same, and the exploration will meet it.
  bool fails(ThreadId t) {
    if (machine_.pending(t).kind == ActionKind::error) failed_[index(t)] = true;
    return failed_[index(t)];
  }

  void perform(EventId e) {
    look_at(e, kNoEvent, 0);
    if (failed_[index(g_[e].thread)]) return;
    const Event& event = g_[e];
    const auto events = g_.thread(event.thread);
    const EventId end = events[event.po - 1 + action_width(g_, events, event.po - 1) - 1];
    machine_.perform(event.thread, event.value, g_.hb(end));
  }

  void look_at(EventId e, EventId last, uint32_t choice) {
    const ThreadId t = g_[e].thread;
    require(std::ranges::find(machine_.threads(), t) != machine_.threads().end());
    if (fails(t)) return;
    const Action& a = machine_.pending(t);
    const Event& event = g_[e];
    require(event.site == a.site && event.own == a.own);
    if (is_access(a.kind)) {
      require(event.is_access() && g_.address(event.loc) == a.addr && event.purpose == a.purpose);
      require(event.guarded == a.guarded);
      require_base(event.loc, a);
    }
    switch (a.kind) {
      case ActionKind::load:
      case ActionKind::rmw:
      case ActionKind::cas: read(e, a); break;
      case ActionKind::store:
        require(event.is_write() && !event.exclusive && event.value == a.operand && event.mode == a.mode);
        break;
      case ActionKind::fence: require(event.kind == EventKind::fence && event.mode == a.mode); break;
      case ActionKind::create:
        require(event.kind == EventKind::create && event.child == a.child && event.twin == a.twin);
        break;
      case ActionKind::join: require(event.kind == EventKind::join && event.child == a.child); break;
      case ActionKind::exit: require(event.kind == EventKind::exit); break;
      case ActionKind::free:
        require(event.kind == EventKind::free && event.freed.start == a.addr && event.freed.length == a.length &&
                event.retire == a.retire);
        break;
      case ActionKind::choose:
        require(event.kind == EventKind::choice && event.purpose == a.purpose);
        require(event.value.hi == 0 && event.value.lo < a.bound);
        require(e != last || choice < a.bound);
        break;
      case ActionKind::help: help(e, a); break;
      case ActionKind::block:
      case ActionKind::error:
      case ActionKind::done: refuse();
    }
  }

  void require_base(LocId l, const Action& a) {
    if (std::ranges::find(seen_, l) != seen_.end()) return;
    seen_.push_back(l);
    require(g_.base(l) == machine_.base(a.addr, a.size));
  }

  void read(EventId id, const Action& a) {
    const Event& e = g_[id];
    const ReadType type = a.kind == ActionKind::load  ? ReadType::load
                          : a.kind == ActionKind::rmw ? ReadType::rmw
                                                      : ReadType::cas;
    require(e.is_read() && e.type == type && e.size == a.size && e.op == a.op);
    require(e.await == a.await && e.assumed == a.assumed && (!e.confirms || a.confirms));
    require(e.expected == a.expected && e.operand == a.operand);
    require(e.mode_success == read_part(a.mode) && e.mode_write == write_part(a.mode));
    require(e.mode_failure == (has_fail_mode(a) ? a.fail_mode : e.mode_success));
    require(e.mode == (type == ReadType::cas && !e.exclusive ? e.mode_failure : e.mode_success));
    const auto events = g_.thread(e.thread);
    if (action_width(g_, events, e.po - 1) == 1) return;
    const Event& w = g_[events[e.po]];
    require(w.is_write() && w.exclusive && w.loc == e.loc && w.mode == e.mode_write);
    require(w.value == (type == ReadType::cas ? e.operand : apply(e.op, e.value, e.operand, e.size)));
    require(w.site == e.site && w.purpose == e.purpose && w.own == e.own && w.guarded == e.guarded);
  }

  void help(EventId id, const Action& a) {
    const Event& e = g_[id];
    require(e.kind == EventKind::help && g_.address(e.loc) == a.addr && e.size == a.size && e.helping == a.helping);
    require(e.expected == a.expected && e.operand == a.operand && e.guarded == a.guarded);
    require(e.mode_success == a.mode && e.mode_failure == a.fail_mode);
    const auto same = [&](const LeftOutRead& r, const HelpRead& h) {
      return g_.address(r.loc) == h.addr && r.mode == h.mode && r.guarded == h.guarded;
    };
    require(std::ranges::equal(g_.help_reads(id), a.reads, same));
  }

  const Graph& g_;
  Machine& machine_;
  Schedule schedule_;
  std::vector<bool> failed_;  // per thread
  std::vector<LocId> seen_;
};

}  // namespace

void require_agreement(const Graph& g, Machine& machine, EventId last, std::span<const EventId> revisited,
                       uint32_t choice) {
  Agreement(g, machine).run(last, revisited, choice);
}

bool keeps_prefixes(const Graph& g, EventId r, EventId w) {
  for (EventId e{0}; e < r; e = EventId(index(e) + 1)) {
    const Prefix prefix = g.cb(e);
    for (std::size_t t = 0; t < g.thread_count(); ++t) {
      if (prefix[t] == 0) continue;
      const EventId x = g.event(ThreadId(t), prefix[t]);
      if (x > r && x != w && !g.cb(x, w)) return false;
      if (x == r) return false;
    }
  }
  return true;
}

}  // namespace heddle
