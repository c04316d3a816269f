#include "litmus/litmus.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace heddle::litmus {
namespace {

// How many parts such a condition has; a list has two or more.
[[maybe_unused]] bool has_its_parts(const Condition& c) {
  switch (c.kind) {
    case Condition::Kind::constant:
    case Condition::Kind::equal:
    case Condition::Kind::different: return c.parts.empty();
    case Condition::Kind::negation: return c.parts.size() == 1;
    case Condition::Kind::conjunction:
    case Condition::Kind::disjunction: return c.parts.size() >= 2;
    case Condition::Kind::implication: return c.parts.size() == 2;
  }
  __builtin_unreachable();
}

bool evaluate(const Condition& c, std::span<const int64_t> values) {
  HEDDLE_ASSERT(has_its_parts(c) && (values.empty() || c.observed < values.size()));
  const auto part = [&](const Condition& p) { return evaluate(p, values); };
  switch (c.kind) {
    case Condition::Kind::constant: return c.constant;
    case Condition::Kind::equal: return values[c.observed] == c.number;
    case Condition::Kind::different: return values[c.observed] != c.number;
    case Condition::Kind::negation: return !part(c.parts[0]);
    case Condition::Kind::conjunction: return std::all_of(c.parts.begin(), c.parts.end(), part);
    case Condition::Kind::disjunction: return std::any_of(c.parts.begin(), c.parts.end(), part);
    case Condition::Kind::implication: return !part(c.parts[0]) || part(c.parts[1]);
  }
  __builtin_unreachable();
}

}  // namespace

std::vector<int64_t> values(const Litmus& litmus, std::span<const ScriptThread> threads) {
  std::vector<int64_t> out;
  out.reserve(litmus.observed.size());
  for (const Observed& o : litmus.observed) out.push_back(static_cast<int64_t>(threads[index(o.thread)].reg[o.reg]));
  return out;
}

std::string state(const Litmus& litmus, std::span<const int64_t> values) {
  HEDDLE_ASSERT(values.size() == litmus.observed.size());
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out += (i == 0 ? "" : " ") + litmus.observed[i].name + "=" + std::to_string(values[i]) + ";";
  }
  return out;
}

std::string state(const Litmus& litmus, std::span<const ScriptThread> threads) {
  return state(litmus, values(litmus, threads));
}

bool holds(const Litmus& litmus, std::span<const int64_t> values) { return evaluate(litmus.condition, values); }

bool holds(const Litmus& litmus, std::span<const ScriptThread> threads) {
  return holds(litmus, values(litmus, threads));
}

}  // namespace heddle::litmus
