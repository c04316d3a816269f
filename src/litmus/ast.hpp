// What the parser makes of a litmus file: names are resolved, modes are chosen, nothing is compiled yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "litmus/litmus.hpp"

namespace heddle::litmus {

struct Expression {
  enum class Kind : uint8_t {
    number,
    local,
    calculation,  // parts: two
    both,         // && (parts: two)
    either,       // ||
    conditional,  // ?: (parts: three)
    load,
    store,  // parts: the value; has no value itself, nor has a fence
    rmw,    // parts: the operand
    cas,    // parts: the desired value
    fence,
  };

  Kind kind = Kind::number;
  Place place;
  uint64_t number = 0;
  std::string name;      // local: its name; access: the location
  std::string expected;  // cas: the local that holds the expected value and receives the one read
  Calculation calculation = Calculation::add;
  RmwOp rmw = RmwOp::xchg;
  Mode mode = Mode::na;
  Mode fail_mode = Mode::na;
  bool swapped = false;        // calculation: the operands change places once they are known
  bool changes_local = false;  // there is a cas in it
  unsigned depth = 1;
  std::vector<Expression> parts;
};

struct Statement {
  enum class Kind : uint8_t { assignment, expression, block, branch };

  Kind kind = Kind::block;
  std::string name;  // assignment: the local
  std::optional<Expression> value;
  std::vector<Statement> body;
  std::vector<Statement> otherwise;  // branch
};

struct Thread {
  Place place;
  std::vector<std::string> locals;  // all of them, each once
  std::vector<Statement> body;
};

// Something to observe.
struct Target {
  int thread = -1;  // -1: a location
  std::string name;
  Place place;
};

struct Proposition {
  Condition::Kind kind = Condition::Kind::constant;
  bool constant = true;
  Target target;
  int64_t number = 0;
  std::vector<Proposition> parts;
};

struct Initial {
  Target target;
  int64_t value = 0;
};

struct Test {
  std::string name;
  std::vector<Initial> initial;
  std::vector<Target> locations;  // all that there are, in order of appearance
  std::vector<Thread> threads;
  std::vector<Target> observed;  // `locations [ … ]`
  Quantifier quantifier = Quantifier::exists;
  Proposition proposition;
};

}  // namespace heddle::litmus
