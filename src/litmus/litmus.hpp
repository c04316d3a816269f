// A litmus test in the C format of herd7: docs/litmus.md says what is accepted.
// read.hpp makes one of a text.
//
// P0, P1, … become the threads 1, 2, … of a script. Main creates them, joins them, and then loads each observed
// location into a register of its own, so that everything that is observed is a register.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "litmus/place.hpp"
#include "machine/script/script.hpp"

namespace heddle::litmus {

// Registers by thread, then name; then locations by name.
struct Observed {
  std::string name;  // "0:r0" or "x"
  ThreadId thread;   // of the script: that of 0:r0 is 1, that of a location main
  uint8_t reg;
};

enum class Quantifier : uint8_t { exists, not_exists, forall };

struct Condition {
  enum class Kind : uint8_t { constant, equal, different, negation, conjunction, disjunction, implication };

  Kind kind = Kind::constant;
  bool constant = true;
  std::size_t observed = 0;  // equal, different: an index into Litmus::observed
  int64_t number = 0;
  std::vector<Condition> parts;
};

struct Litmus {
  std::string file;
  std::string name;
  Script script;
  std::vector<Observed> observed;
  Quantifier quantifier = Quantifier::exists;
  Condition condition;
  std::string condition_text;              // "exists (0:r0=0 /\ 1:r0=0)"
  std::vector<std::vector<Place>> places;  // of each instruction of each thread
};

// What is observed in a final state, given the threads of the script.
std::vector<int64_t> values(const Litmus&, std::span<const ScriptThread>);
// "0:r0=0; 1:r0=1; x=2;"
std::string state(const Litmus&, std::span<const ScriptThread>);
std::string state(const Litmus&, std::span<const int64_t> values);
// The proposition, without its quantifier, in one final state.
bool holds(const Litmus&, std::span<const ScriptThread>);
bool holds(const Litmus&, std::span<const int64_t> values);

}  // namespace heddle::litmus
