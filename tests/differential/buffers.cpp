#include "differential/buffers.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "differential/brute_force.hpp"

namespace heddle::differential {
namespace {

// What stands in a buffer: a store, or under PSO the mark of a release fence.
struct Buffered {
  unsigned location = 0;
  uint64_t value = 0;
  bool last = false;  // leaves only when nothing older is left
  bool fence = false;
};

struct State {
  std::vector<uint64_t> memory;
  std::vector<ScriptThread> threads;
  std::vector<std::vector<Buffered>> buffers;
  std::vector<uint8_t> created;
  std::vector<uint8_t> drains;  // the thread waits for an empty buffer

  std::string key() const {
    std::string s;
    const auto number = [&](uint64_t n) { s.append(reinterpret_cast<const char*>(&n), sizeof n); };
    for (const uint64_t m : memory) number(m);
    for (std::size_t t = 0; t < threads.size(); ++t) {
      number(threads[t].pc | uint64_t{threads[t].exited} << 32 | uint64_t{created[t]} << 33 |
             uint64_t{drains[t]} << 34 | uint64_t{buffers[t].size()} << 40);
      for (const uint64_t r : threads[t].reg) number(r);
      for (const Buffered& b : buffers[t]) {
        number(b.value);
        number(b.location | uint64_t{b.last} << 32 | uint64_t{b.fence} << 33);
      }
    }
    return s;
  }
};

std::string outcome(const std::vector<ScriptThread>& threads, const std::vector<uint64_t>& memory) {
  std::string s;
  for (const ScriptThread& t : threads) {
    for (const uint64_t r : t.reg) s += std::to_string(r) + ' ';
    s += "| ";
  }
  for (const uint64_t m : memory) s += std::to_string(m) + ' ';
  return s;
}

class Interleavings {
 public:
  Interleavings(const Script& script, axioms::Model model, uint64_t limit)
      : script_(script), pso_(model == axioms::Model::pso), limit_(limit) {}

  std::optional<Outcomes> run() {
    State s;
    for (const ScriptLocation& l : script_.locations) s.memory.push_back(l.initial);
    const std::size_t n = script_.threads.size();
    s.threads.resize(n);
    s.buffers.resize(n);
    s.created.resize(n);
    s.drains.resize(n);
    s.threads[0] = script_start(script_, kMain);
    s.created[0] = 1;
    visit(s);
    if (seen_.size() > limit_) return std::nullopt;
    return found_;
  }

 private:
  void visit(const State& s) {
    if (seen_.size() > limit_ || !seen_.insert(s.key()).second) return;
    bool stuck = true;
    bool waits = false;    // for a value or a thread
    bool assumed = false;  // falsely
    bool failed = false;
    for (std::size_t t = 0; t < s.threads.size(); ++t) {
      for (std::size_t i = 0; i < s.buffers[t].size(); ++i) {
        if (!may_leave(s.buffers[t], i)) continue;
        stuck = false;
        visit(leave(s, t, i));
      }
      if (!s.created[t]) continue;
      const Action a = script_action(script_, ThreadId(t), s.threads[t]);
      failed |= a.kind == ActionKind::error;
      assumed |= a.kind == ActionKind::block;
      if (is_final(a.kind)) continue;
      if ((s.drains[t] || needs_empty_buffer(a)) && !s.buffers[t].empty()) continue;
      if (step(s, t, a)) {
        stuck = false;
      } else {
        (a.assumed ? assumed : waits) = true;
      }
    }
    found_.error |= failed;
    if (!stuck || failed || assumed) return;
    found_.deadlock |= waits;
    if (!waits) found_.complete.insert(outcome(s.threads, s.memory));
  }

  bool may_leave(const std::vector<Buffered>& buffer, std::size_t i) const {
    if (i == 0) return true;
    if (!pso_ || buffer[i].last || buffer[i].fence) return false;
    return std::none_of(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const Buffered& b) { return b.fence || b.location == buffer[i].location; });
  }

  static State leave(State s, std::size_t t, std::size_t i) {
    const Buffered b = s.buffers[t][i];
    if (!b.fence) s.memory[b.location] = b.value;
    s.buffers[t].erase(s.buffers[t].begin() + static_cast<std::ptrdiff_t>(i));
    if (s.buffers[t].empty()) s.drains[t] = 0;
    return s;
  }

  static bool needs_empty_buffer(const Action& a) {
    switch (a.kind) {
      case ActionKind::rmw:
      case ActionKind::cas:
      case ActionKind::create:
      case ActionKind::join:
      case ActionKind::exit: return true;
      case ActionKind::fence: return is_sc(a.mode);
      default: return false;
    }
  }

  // False if the thread has to wait.
  bool step(const State& s, std::size_t t, const Action& a) {
    const auto thread = ThreadId(t);
    const unsigned location = a.addr != 0 ? script_location(a.addr) : 0;
    State next = s;
    Value result;
    switch (a.kind) {
      case ActionKind::load:
      case ActionKind::rmw:
      case ActionKind::cas:
        result.lo = s.memory[location];
        for (const Buffered& b : s.buffers[t]) {
          if (!b.fence && b.location == location) result.lo = b.value;
        }
        if (!satisfied(a, result)) return false;
        if (a.kind == ActionKind::rmw) next.memory[location] = apply(a.op, result, a.operand, a.size).lo;
        if (a.kind == ActionKind::cas && result == a.expected) next.memory[location] = a.operand.lo;
        break;
      case ActionKind::store:
        next.buffers[t].push_back({location, a.operand.lo, is_release(a.mode), false});
        next.drains[t] = is_sc(a.mode);
        break;
      case ActionKind::fence:
        if (pso_ && is_release(a.mode) && !s.buffers[t].empty()) next.buffers[t].push_back({.fence = true});
        break;
      case ActionKind::create:
        next.created[index(a.child)] = 1;
        next.threads[index(a.child)] = script_start(script_, a.child);
        break;
      case ActionKind::join:
        if (!s.threads[index(a.child)].exited) return false;
        break;
      case ActionKind::choose:
        for (uint64_t v = 1; v < a.bound; ++v) {
          State other = s;
          script_step(script_, thread, other.threads[t], {v, 0});
          visit(other);
        }
        break;
      default: break;
    }
    script_step(script_, thread, next.threads[t], result);
    visit(next);
    return true;
  }

  const Script& script_;
  const bool pso_;
  const uint64_t limit_;
  std::unordered_set<std::string> seen_;
  Outcomes found_;
};

std::optional<Outcomes> by_axioms(const Script& script, axioms::Model model, uint64_t limit) {
  Outcomes found;
  const bool all = brute_force(script, model, limit, [&](const Full& f) {
    found.error |= f.ending == Ending::error;
    found.deadlock |= f.deadlock;
    if (f.ending != Ending::complete) return;
    std::vector<uint64_t> memory;
    for (const Value v : axioms::final_memory(f.execution)) memory.push_back(v.lo);
    found.complete.insert(outcome(f.threads, memory));
  });
  if (!all) return std::nullopt;
  return found;
}

}  // namespace

std::optional<Outcomes> run_buffers(const Script& script, axioms::Model model, uint64_t limit) {
  return Interleavings(script, model, limit).run();
}

std::optional<std::string> buffers_disagreement(const Script& script, axioms::Model model, uint64_t limit,
                                                uint64_t* outcomes) {
  const auto literal = by_axioms(script, model, limit);
  if (!literal) return std::nullopt;
  const auto machine = run_buffers(script, model, 50 * limit);
  if (!machine) return std::nullopt;
  if (outcomes != nullptr) *outcomes += literal->complete.size();
  std::string text;
  for (const std::string& o : machine->complete) {
    if (!literal->complete.contains(o)) text += "only the machine gives " + o + "\n";
  }
  for (const std::string& o : literal->complete) {
    if (!machine->complete.contains(o)) text += "only the axioms give " + o + "\n";
  }
  if (machine->error != literal->error) text += "they differ on whether an assertion fails\n";
  if (machine->deadlock != literal->deadlock) text += "they differ on whether there is a deadlock\n";
  return text;
}

}  // namespace heddle::differential
