// Litmus tests that are scripts, as rows of a table: a script, what is observed, and the exact set of outcomes under
// each model.
#pragma once

#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "differential/candidate.hpp"

namespace heddle::script_litmus {

using Outcomes = std::set<std::string>;  // each "1 0 2": the observed values in order

// A set of outcomes: those listed, or all but those listed of the ones whose values are all 0 or 1.
struct Expected {
  bool all_but = false;
  Outcomes listed;
};

inline Expected only(Outcomes o) { return {false, std::move(o)}; }
inline Expected all_but(Outcomes o) { return {true, std::move(o)}; }
inline Expected all() { return {true, {}}; }

struct Litmus {
  const char* name;
  const char* script;   // tests/script/script_text.hpp
  const char* observe;  // "1:r0 2:r1 x": registers of threads, and locations at the end
  Expected sc;
  Expected rc11;
};

inline void PrintTo(const Litmus& test, std::ostream* out) { *out << test.name << ": " << test.script; }

Outcomes expected(const Litmus&, axioms::Model);

// The outcomes of the complete executions, in three ways.
Outcomes by_brute_force(const Litmus&, axioms::Model);
Outcomes by_naive(const Litmus&, axioms::Model);
Outcomes by_explorer(const Litmus&, axioms::Model);

}  // namespace heddle::script_litmus
