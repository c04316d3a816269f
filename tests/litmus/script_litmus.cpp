#include "litmus/script_litmus.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "differential/brute_force.hpp"
#include "differential/collect.hpp"
#include "script/script_text.hpp"

namespace heddle::script_litmus {
namespace {

using differential::Full;
using differential::OnFull;

constexpr uint64_t kLimit = 50'000'000;

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string w; in >> w;) out.push_back(w);
  return out;
}

uint64_t value_of(const std::string& what, const Script& script, const Full& f) {
  if (const std::size_t colon = what.find(':'); colon != std::string::npos) {
    const std::size_t thread = std::stoul(what.substr(0, colon));
    return f.threads.at(thread).reg.at(std::stoul(what.substr(colon + 2)));
  }
  for (std::size_t l = 0; l < script.locations.size(); ++l) {
    if (script.locations[l].name == what) return axioms::final_memory(f.execution)[l].lo;
  }
  throw std::invalid_argument("nothing to observe: " + what);
}

// Puts the outcome of each complete execution into `outcomes`.
OnFull observer(const Litmus& test, const Script& script, Outcomes& outcomes) {
  return [observed = words(test.observe), &script, &outcomes](const Full& f) {
    if (f.ending != differential::Ending::complete) return;
    std::string outcome;
    for (const std::string& what : observed) {
      outcome += (outcome.empty() ? "" : " ") + std::to_string(value_of(what, script, f));
    }
    outcomes.insert(outcome);
  };
}

void combinations(std::size_t n, const std::string& prefix, Outcomes& out) {
  if (n == 0) {
    out.insert(prefix);
    return;
  }
  for (const char* bit : {"0", "1"}) combinations(n - 1, prefix + (prefix.empty() ? "" : " ") + bit, out);
}

void require(bool all) {
  if (!all) throw std::runtime_error("this litmus test is too large for brute force");
}

}  // namespace

Outcomes expected(const Litmus& test, axioms::Model model) {
  const Expected& e = model == axioms::Model::sc ? test.sc : test.rc11;
  if (!e.all_but) return e.listed;
  Outcomes out;
  combinations(words(test.observe).size(), "", out);
  for (const std::string& outcome : e.listed) out.erase(outcome);
  return out;
}

Outcomes by_brute_force(const Litmus& test, axioms::Model model) {
  const Script script = parse_script(test.script);
  Outcomes outcomes;
  require(differential::brute_force(script, model, kLimit, observer(test, script, outcomes)));
  return outcomes;
}

Outcomes by_naive(const Litmus& test, axioms::Model model) {
  const Script script = parse_script(test.script);
  Outcomes outcomes;
  require(differential::naive(script, model, kLimit, observer(test, script, outcomes)));
  return outcomes;
}

Outcomes by_explorer(const Litmus& test, axioms::Model model) {
  const Script script = parse_script(test.script);
  Outcomes outcomes;
  differential::collect(script, {.model = model}, observer(test, script, outcomes));
  return outcomes;
}

}  // namespace heddle::script_litmus
