#include "litmus/print.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace heddle::litmus {
namespace {

using Json = nlohmann::ordered_json;

// Positive witnesses are for the condition, with its quantifier, negative ones against it.
uint64_t positive(const Litmus& l, const Outcome& o) {
  return l.quantifier == Quantifier::not_exists ? o.others : o.satisfying;
}
uint64_t negative(const Litmus& l, const Outcome& o) {
  return l.quantifier == Quantifier::not_exists ? o.satisfying : o.others;
}

const char* observation(const Outcome& o) {
  return o.satisfying == 0 ? "Never" : o.others == 0 ? "Always" : "Sometimes";
}

// A number while JSON readers agree on it, a string beyond.
Json json_number(int64_t n) {
  constexpr int64_t kLargest = INT64_C(1) << 53;
  if (n > -kLargest && n < kLargest) return n;
  return std::to_string(n);
}

double rounded(double seconds) { return std::round(seconds * 1e6) / 1e6; }

Json test_json(const Litmus& l, const Outcome& o) {
  constexpr const char* kQuantifiers[] = {"exists", "~exists", "forall"};
  constexpr const char* kObservations[] = {"never", "sometimes", "always"};
  Json out;
  out["file"] = l.file;
  out["name"] = l.name;
  out["quantifier"] = kQuantifiers[static_cast<int>(l.quantifier)];
  out["condition"] = l.condition_text;
  out["ok"] = ok(l, o);
  out["observation"] = kObservations[o.satisfying == 0 ? 0 : o.others == 0 ? 2 : 1];
  out["positive"] = positive(l, o);
  out["negative"] = negative(l, o);
  out["states"] = Json::array();
  for (const std::vector<int64_t>& state : o.states) {
    Json values = Json::object();
    for (std::size_t i = 0; i < state.size(); ++i) values[l.observed[i].name] = json_number(state[i]);
    out["states"].push_back(std::move(values));
  }
  out["race"] = o.race;
  out["seconds"] = rounded(o.seconds);
  return out;
}

}  // namespace

std::string print_text(const Litmus& l, const Outcome& o) {
  constexpr const char* kKinds[] = {"Allowed", "Forbidden", "Required"};
  std::string out =
      fmt::format("Test {} {}\nStates {}\n", l.name, kKinds[static_cast<int>(l.quantifier)], o.states.size());
  for (const std::vector<int64_t>& s : o.states) out += state(l, s) + "\n";
  out += ok(l, o) ? "Ok\n" : "No\n";
  out += fmt::format("Witnesses\nPositive: {} Negative: {}\n", positive(l, o), negative(l, o));
  if (o.race) out += "Flag data-race\n";
  out += fmt::format("Condition {}\n", l.condition_text);
  out += fmt::format("Observation {} {} {} {}\n", l.name, observation(o), o.satisfying, o.others);
  return out + fmt::format("Time {} {:.2f}\n\n", l.name, o.seconds);
}

std::string print_json(const RunInfo& info, std::span<const Answer> answers) {
  Json out;
  out["version"] = info.version;
  out["model"] = info.model;
  out["algorithm"] = info.algorithm;
  out["tests"] = Json::array();
  for (const Answer& a : answers) out["tests"].push_back(test_json(a.litmus, a.outcome));
  out["seconds"] = rounded(info.seconds);
  // The name of a test may hold any bytes.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::litmus
