#include "explore/judge/literal.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/add_once.hpp"
#include "core/assert.hpp"
#include "models/axioms/axioms.hpp"

namespace heddle {
namespace {

// The definitions take the cube of this.
constexpr std::size_t kLongest = 1500;

axioms::Type type_of(EventKind k) {
  switch (k) {
    case EventKind::read: return axioms::Type::read;
    case EventKind::write: return axioms::Type::write;
    case EventKind::fence: return axioms::Type::fence;
    case EventKind::create: return axioms::Type::create;
    case EventKind::join: return axioms::Type::join;
    case EventKind::exit: return axioms::Type::exit;
    case EventKind::arrive: return axioms::Type::arrive;
    case EventKind::leave: return axioms::Type::leave;
    default: return axioms::Type::other;
  }
}

class Translation {
 public:
  Translation(const Graph& g, std::map<Address, Value> bases) : g_(g) {
    std::map<Address, LocId> locations;
    for (std::size_t i = 0; i < g.size(); ++i) {
      const Event& e = g[EventId(i)];
      if (!e.is_access()) continue;
      locations.emplace(g.address(e.loc), e.loc);
      bases.emplace(g.address(e.loc), g.base(e.loc));
    }
    for (const auto& [address, base] : bases) {
      add_init(address, base);
      const auto used = locations.find(address);
      locations_.push_back(used == locations.end() ? kNoLoc : used->second);
    }
    int next = static_cast<int>(x_.events.size());
    std::vector<int> positions(g.thread_count());
    for (std::size_t i = 0; i < g.size(); ++i) {
      const Event& e = g[EventId(i)];
      const bool is_event = e.kind != EventKind::help;
      names_.push_back(is_event ? next++ : axioms::kNone);
      // A thread's events are added in po.
      positions_.push_back(is_event ? positions[index(e.thread)]++ : axioms::kNone);
    }
  }

  axioms::Execution run() {
    for (std::size_t i = 0; i < g_.size(); ++i) {
      if (names_[i] != axioms::kNone) add(EventId(i));
    }
    for (std::size_t n = 0; n < locations_.size(); ++n) {
      if (locations_[n] == kNoLoc) continue;
      for (EventId w = g_.co_first(locations_[n]); w != kNoEvent; w = g_[w].co_next) x_.co[n].push_back(name(w));
    }
    return std::move(x_);
  }

 private:
  int name(EventId e) const { return names_[index(e)]; }

  void add_init(Address address, Value base) {
    axioms::Event e;
    e.type = axioms::Type::init;
    e.location = address;
    e.value = base;
    x_.co.push_back({static_cast<int>(x_.events.size())});
    x_.events.push_back(e);
  }

  void add(EventId id) {
    const Event& from = g_[id];
    HEDDLE_ASSERT(name(id) == static_cast<int>(x_.events.size()));
    axioms::Event e;
    e.type = type_of(from.kind);
    e.mode = from.mode;
    e.exclusive = from.exclusive && !g_.open(id);
    e.locked = from.is_read() && from.type != ReadType::load;
    e.thread = static_cast<int>(index(from.thread));
    e.index = positions_[index(id)];
    if (from.child != kNoThread) e.child = static_cast<int>(index(from.child));
    if (from.is_access()) e.location = g_.address(from.loc);
    if (from.kind == EventKind::arrive || from.kind == EventKind::leave) {
      const bool arrives = from.kind == EventKind::arrive;
      e.location = g_.address(from.loc);
      e.places = from.expected.lo;
      e.phase = arrives ? from.value.lo : from.operand.lo;
      e.weight = arrives ? from.operand.lo : 0;
      e.last = arrives ? from.operand.hi : 0;
      if (!arrives) e.value = from.value;
    }
    if (from.is_access() || from.kind == EventKind::choice) e.value = from.value;
    if (from.is_read()) e.rf = from.rf == kInit ? init_of(from.loc) : name(from.rf);
    if (from.is_write() && from.exclusive) x_.rmw.emplace_back(name(g_.predecessor(id)), name(id));
    x_.events.push_back(e);
  }

  int init_of(LocId l) const {
    const auto at = std::ranges::find(locations_, l);
    HEDDLE_ASSERT(at != locations_.end());
    return static_cast<int>(at - locations_.begin());
  }

  const Graph& g_;
  std::vector<LocId> locations_;        // by init; kNoLoc: no event uses it
  std::vector<int> names_, positions_;  // by EventId
  axioms::Execution x_;
};

[[noreturn]] void fail(const std::string& what) {
  throw std::logic_error("an execution was found that the memory model does not allow (" + what + ")");
}

}  // namespace

axioms::Execution literal(const Graph& g, const std::map<Address, Value>& others) {
  return Translation(g, others).run();
}

bool check_literally(const Graph& g, ModelKind model, bool psc, std::vector<std::string>& notes) {
  if (g.size() > kLongest) {
    std::string note = "an execution of more than " + std::to_string(kLongest) +
                       " events was not held against the literal axioms: too long";
    add_once(notes, std::move(note));
    return false;
  }
  if (const std::string broken = g.check(); !broken.empty()) fail("the graph is broken: " + broken);
  const axioms::Execution x = literal(g);
  if (const std::string malformed = axioms::malformed(x); !malformed.empty()) fail(malformed);
  const std::string violated(axioms::violated(model, x));
  if (!violated.empty() && (psc || violated != "SC-ACYCLICITY")) fail(violated);
  return true;
}

}  // namespace heddle
