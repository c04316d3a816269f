#include "differential/weak.hpp"

#include <algorithm>
#include <set>

#include "differential/brute_force.hpp"
#include "models/wrc11.hpp"

namespace heddle::differential {
namespace {

using axioms::Type;

Mode rmw_mode(Mode read, Mode write) {
  if (is_sc(read)) return Mode::sc;
  if (is_acquire(read)) return is_release(write) ? Mode::acqrel : Mode::acq;
  return is_release(write) ? Mode::rel : Mode::rlx;
}

ActionKind kind_of(Type t) {
  switch (t) {
    case Type::fence: return ActionKind::fence;
    case Type::create: return ActionKind::create;
    case Type::join: return ActionKind::join;
    case Type::exit: return ActionKind::exit;
    case Type::arrive: return ActionKind::arrive;
    case Type::leave: return ActionKind::leave;
    default: return ActionKind::choose;
  }
}

// The graph of an execution, its events added in the order in which they are listed.
class Rebuilt {
 public:
  explicit Rebuilt(const axioms::Execution& x) : x_(x), graph_(locations_) {
    for (const axioms::Event& e : x.events) {
      if (e.type == Type::init) {
        graph_.set_base(graph_.location(e.location), e.value);
        ++inits_;
      } else {
        ids_.push_back(add(e));
      }
    }
  }

  // Whether the model accepts the last access, if it accepted the graph before.
  bool accepted() {
    const EventId last = ids_.back();
    if (!graph_[last].is_access()) return true;
    if (graph_[last].is_write() && !graph_[last].exclusive) return model_.admits(graph_, last);
    const EventId read = graph_[last].is_read() ? last : graph_.predecessor(last);
    if (graph_[read].exclusive && shares_its_write(read)) return false;
    model_.start(graph_);
    return model_.readable(graph_, read, graph_[read].rf) && model_.admits(graph_, read) && model_.admits(graph_, last);
  }

 private:
  bool shares_its_write(EventId r) const {
    for (EventId x = graph_.accesses(graph_[r].loc); x != kNoEvent; x = graph_[x].loc_prev) {
      if (x != r && graph_[x].is_read() && graph_[x].exclusive && graph_[x].rf == graph_[r].rf) return true;
    }
    return false;
  }

  EventId add(const axioms::Event& e) {
    const auto thread = ThreadId(static_cast<uint32_t>(e.thread));
    Action a;
    a.addr = e.location;
    a.size = 8;
    a.mode = e.mode;
    if (e.child != axioms::kNone) a.child = ThreadId(static_cast<uint32_t>(e.child));
    if (e.type == Type::write && e.exclusive) return placed(graph_.add_exclusive_write(ids_.back()));
    if (e.type == Type::write) {
      a.kind = ActionKind::store;
      a.operand = e.value;
      return placed(graph_.add_store(thread, a));
    }
    if (e.type == Type::read) {
      a.kind = ActionKind::load;
      if (e.exclusive) become_rmw(a, e);
      const auto rf = static_cast<std::size_t>(e.rf);
      return graph_.add_read(thread, a, rf < inits_ ? kInit : ids_[rf - inits_]);
    }
    a.kind = kind_of(e.type);
    if (is_meeting(a.kind)) {
      a.expected = {e.places, 0};
      a.operand = e.type == Type::arrive ? Value{e.weight, e.last} : Value{e.phase, 0};
    }
    return graph_.add_other(thread, a, e.value);
  }

  // Where does not matter; the end is a place.
  EventId placed(EventId w) {
    graph_.place(w, graph_.co_last(graph_[w].loc));
    return w;
  }

  void become_rmw(Action& a, const axioms::Event& read) {
    for (const auto& [r, w] : x_.rmw) {
      if (&x_.events[static_cast<std::size_t>(r)] != &read) continue;
      const axioms::Event& write = x_.events[static_cast<std::size_t>(w)];
      a.kind = ActionKind::rmw;
      a.op = RmwOp::xchg;
      a.operand = write.value;
      a.mode = rmw_mode(read.mode, write.mode);
    }
  }

  const axioms::Execution& x_;
  Locations locations_;
  Graph graph_;
  Wrc11 model_;
  std::size_t inits_ = 0;  // they come first
  std::vector<EventId> ids_;
};

}  // namespace

std::optional<std::string> weak_disagreement(const Script& script, uint64_t limit, WeakTally* tally) {
  constexpr ModelKind model = ModelKind::wrc11;
  std::string text;
  std::set<std::string> full;
  WeakTally t;
  const auto collect = [&](const Full& f) {
    if (f.ending == Ending::crowded) return;
    full.insert(axioms::canonical(f.execution, false));
    t.executions += f.ending == Ending::complete;
    t.blocked += f.ending == Ending::blocked;
    t.error |= f.ending == Ending::error;
  };
  const bool all = brute_force(script, model, limit, collect, [&](const Candidate& c, bool consistent) {
    if (!text.empty() || Rebuilt(c.execution).accepted() == consistent) return;
    text = std::string(consistent ? "wrongly refused: " : "wrongly accepted: ") + axioms::canonical(c.execution, false);
  });
  if (!all) return std::nullopt;
  std::set<std::string> literal;
  // The naive search knows of no meetings.
  const bool meets = std::ranges::any_of(script.locations, [](const ScriptLocation& l) { return l.places != 0; });
  t.naive = text.empty() && !meets &&
            naive(script, model, limit, [&](const Full& f) { literal.insert(axioms::canonical(f.execution, false)); });
  if (t.naive && literal != full) text = "brute force and naive find different executions";
  if (tally != nullptr) *tally = t;
  return text;
}

}  // namespace heddle::differential
