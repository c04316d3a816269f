#include "explore/judge/hazards.hpp"

#include <vector>

namespace heddle {
namespace {

// Goes back from an event along po, create, join, rf, co and fr.
class Past {
 public:
  Past(const Graph& g, EventId end, WeakOrder* weak) : g_(g), weak_(weak), seen_(g.size()) {
    visit(end);
    while (!todo_.empty()) {
      const EventId e = todo_.back();
      todo_.pop_back();
      expand(e);
    }
  }

  bool contains(EventId e) const { return seen_[index(e)]; }

 private:
  void visit(EventId e) {
    if (e == kNoEvent || e == kInit || seen_[index(e)]) return;
    seen_[index(e)] = true;
    todo_.push_back(e);
  }

  void expand(EventId e) {
    const Event& event = g_[e];
    visit(g_.predecessor(e));
    if (event.is_read() || event.kind == EventKind::join) visit(event.rf);
    if (event.kind == EventKind::leave) g_.for_each_arrival(e, [&](EventId a) { visit(a); });
    if (!event.is_write()) return;
    if (weak_ != nullptr) return expand_weakly(e);
    visit(event.co_prev);
    for (EventId r = g_.readers(event.loc, event.co_prev); r != kNoEvent; r = g_[r].next_reader) visit(r);
  }

  void expand_weakly(EventId w) {
    for (EventId a = g_.accesses(g_[w].loc); a != kNoEvent; a = g_[a].loc_prev) {
      if (weak_->before_write(g_, a, w)) visit(a);
    }
  }

  const Graph& g_;
  WeakOrder* weak_;
  std::vector<bool> seen_;
  std::vector<EventId> todo_;
};

// Whether the protect reads what a write that happens before the retire has replaced: the usual case.
bool replaced(const Graph& g, EventId protect, EventId retire, WeakOrder* weak) {
  const Event& read = g[protect];
  if (!read.is_read()) return false;  // it read memory of the thread's own
  for (EventId w = g.accesses(read.loc); w != kNoEvent; w = g[w].loc_prev) {
    if (!g[w].is_write() || !g.hb(w, retire)) continue;
    if (weak != nullptr ? weak->co_weak(g, read.rf, w) : g.co_position(read.rf) < g.co_position(w)) return true;
  }
  return false;
}

// Whether the protect comes before the retire in any case.
bool in_time(const Graph& g, const GuardedUse& use, WeakOrder* weak) {
  if (use.protect == 0) return true;  // before there were threads
  const EventId protect = g.event(use.thread, use.protect);
  const EventId retire = g.event(use.retired_by, use.retire);
  return g.hb(protect, retire) || replaced(g, protect, retire, weak) || Past(g, retire, weak).contains(protect);
}

Error late(const GuardedUse& use, Machine& machine) {
  return {ErrorKind::memory,
          "use of memory (" + machine.describe(use.block) + ") under a hazard pointer that may protect it too late: " +
              "nothing keeps the retire from coming before the protect",
          use.thread,
          use.site,
          use.retired_by,
          use.retire_site};
}

}  // namespace

std::optional<Error> find_late_protect(const Graph& g, Machine& machine, WeakOrder* weak) {
  const auto uses = machine.guarded_uses();
  if (uses.empty()) return std::nullopt;
  if (weak != nullptr) weak->start(g);
  for (std::size_t i = 0; i < uses.size();) {
    std::size_t end = i;
    bool right = false;
    for (; end < uses.size() && uses[end].use == uses[i].use; ++end) right = right || in_time(g, uses[end], weak);
    if (!right) return late(uses[i], machine);
    i = end;
  }
  return std::nullopt;
}

}  // namespace heddle
