#include "litmus/litmus_file.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "differential/brute_force.hpp"
#include "litmus/run.hpp"

namespace heddle::litmus {
namespace {

constexpr uint64_t kLimit = 10'000'000;
constexpr std::string_view kAlso = " also";

Models parse_models(const std::string& words) {
  std::istringstream in(words);
  Models models;
  for (std::string word; in >> word;) {
    const auto model = model_named(word);
    if (!model) throw std::runtime_error("not a memory model: " + word);
    if (!models.insert(*model).second) throw std::runtime_error("named twice: " + word);
  }
  return models;
}

// A header starts with the name of a model, a state with that of a register or location.
bool is_header(const std::string& line) { return model_named(line.substr(0, line.find(' '))).has_value(); }

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

Models allowed(std::string_view litmus_text) {
  constexpr std::string_view open = "(* allowed: ";
  const std::size_t from = litmus_text.find(open);
  const std::size_t to = litmus_text.find(" *)", from);
  if (to == std::string_view::npos) throw std::runtime_error("no comment (* allowed: MODEL… *)");
  const std::string words(litmus_text.substr(from + open.size(), to - from - open.size()));
  return words == "none" ? Models{} : parse_models(words);
}

std::string to_string(const Models& models) {
  std::string out;
  for (const ModelKind m : models) out += (out.empty() ? "" : " ") + std::string(name(m));
  return out.empty() ? "none" : out;
}

ByModel parse_expected(std::string_view text) {
  std::istringstream in{std::string(text)};
  ByModel expected;
  Models seen;
  Models current;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    if (!is_header(line)) {
      if (current.empty()) throw std::runtime_error("states without a model");
      for (const ModelKind m : current) of(expected, m).insert(line);
      continue;
    }
    const bool also = line.ends_with(kAlso);
    current = parse_models(also ? line.substr(0, line.size() - kAlso.size()) : line);
    for (const ModelKind m : current) {
      if (!seen.insert(m).second) throw std::runtime_error("two lists of states for " + std::string(name(m)));
      if (also) of(expected, m) = of(expected, ModelKind::sc);
    }
  }
  if (seen.size() != kModels.size()) throw std::runtime_error("states for " + to_string(seen) + " only");
  return expected;
}

std::string print_expected(const ByModel& expected) {
  const States& under_sc = of(expected, ModelKind::sc);
  std::string out;
  Models done;
  for (const ModelKind m : kModels) {
    if (done.contains(m)) continue;
    Models same;
    for (const ModelKind other : kModels) {
      if (of(expected, other) == of(expected, m)) same.insert(other);
    }
    States states = of(expected, m);
    const bool also = !done.empty() && std::ranges::includes(states, under_sc);
    if (also) std::erase_if(states, [&](const std::string& s) { return under_sc.contains(s); });
    out += (out.empty() ? "" : "\n") + to_string(same) + (also ? std::string(kAlso) : "") + "\n";
    for (const std::string& s : states) out += s + "\n";
    done.merge(same);
  }
  return out;
}

Found by_brute_force(const Litmus& litmus, ModelKind model) {
  Found found;
  const bool all = differential::brute_force(litmus.script, model, kLimit, [&](const differential::Full& f) {
    if (f.ending != differential::Ending::complete) return;
    found.states.insert(state(litmus, f.threads));
    found.reachable |= holds(litmus, f.threads);
  });
  if (!all) throw std::runtime_error("this litmus test is too large for brute force");
  return found;
}

Found by_explorer(const Litmus& litmus, ModelKind model, Algorithm algorithm) {
  const Outcome outcome = run(litmus, model, algorithm);
  Found found;
  for (const auto& values : outcome.states) found.states.insert(state(litmus, values));
  found.reachable = outcome.satisfying > 0;
  return found;
}

}  // namespace heddle::litmus
