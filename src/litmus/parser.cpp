// The frame of a litmus test: init block, headers of threads, what is observed, the condition.
#include "litmus/parser.hpp"

#include <algorithm>
#include <limits>

namespace heddle::litmus {
namespace {

constexpr std::size_t kMostThreads = 200;
constexpr std::size_t kMostLocations = 200;
constexpr std::size_t kMostInitial = kMostLocations + kMostThreads * kScriptRegisters;

// A type as parameters and the init block have it, up to the name.
struct Type {
  bool atomic = false;
  bool pointer = false;
};

bool is_qualifier(std::string_view word) {
  return word == "volatile" || word == "const" || word == "restrict" || word == "signed";
}
bool is_plain_type(std::string_view word) { return word == "int" || word == "long"; }
bool is_atomic_type(std::string_view word) {
  return word == "atomic_int" || word == "atomic_long" || word == "atomic_llong" || word == "_Atomic";
}

class TestParser {
 public:
  TestParser(const Tokens& tokens, const std::string& file) : in_(tokens.tokens, file) { test_.name = tokens.name; }

  Test run() {
    in_.expect("{", "to open the init block");
    while (!in_.accept("}")) parse_initial();
    while (!at_condition()) parse_thread();
    check_initial_registers();
    if (in_.accept("locations")) parse_locations();
    parse_condition();
    if (!in_.at_end()) in_.unexpected("nothing may follow the condition");
    return std::move(test_);
  }

 private:
  // Init block.

  void parse_initial() {
    if (in_.accept(";")) return;
    const Type type = parse_type();
    if (type.pointer) in_.fail(std::string("pointers in the init block are not supported; ") + kUseCheck);
    const Target target = in_.target("in the init block");
    if (in_.at("[")) in_.fail(std::string("arrays are not supported; ") + kUseCheck);
    Initial initial{target, 0};
    if (in_.accept("=")) {
      if (in_.at_word() || in_.at("&")) {
        in_.unexpected(std::string("write a number; for addresses as values, ") + kUseCheck);
      }
      initial.value = in_.number("as initial value");
    } else if (!in_.at(";") && !in_.at("}")) {
      in_.unexpected("write '=' or ';' after " + in_quotes(target.name));
    }
    if (!in_.at("}")) in_.expect(";", "between initial values");
    for (const Initial& other : test_.initial) {
      if (other.target.thread == target.thread && other.target.name == target.name) {
        in_.fail(target.place, in_quotes(target.name) + " is initialised twice; remove one");
      }
    }
    if (target.thread < 0) add_location(target);
    if (test_.initial.size() == kMostInitial) in_.fail(target.place, "too many initial values; leave some out");
    test_.initial.push_back(initial);
  }

  Type parse_type() {
    Type type;
    while (in_.at_word() &&
           (is_qualifier(in_.peek().text) || is_plain_type(in_.peek().text) || is_atomic_type(in_.peek().text))) {
      type.atomic |= is_atomic_type(in_.take().text);
    }
    while (in_.accept("*")) {
      if (type.pointer) in_.fail(std::string("pointers to pointers are not supported; ") + kUseCheck);
      type.pointer = true;
      while (in_.at_word() && is_qualifier(in_.peek().text)) in_.take();
    }
    return type;
  }

  void add_location(const Target& target) {
    const bool known = std::any_of(test_.locations.begin(), test_.locations.end(),
                                   [&](const Target& t) { return t.name == target.name; });
    if (known) return;
    if (test_.locations.size() == kMostLocations) {
      in_.fail(target.place, std::string("more than 200 locations; ") + kUseCheck);
    }
    test_.locations.push_back(target);
  }

  void check_initial_registers() {
    for (const Initial& i : test_.initial) {
      if (i.target.thread >= static_cast<int>(test_.threads.size())) {
        in_.fail(i.target.place, "there is no P" + std::to_string(i.target.thread) + "; remove this register");
      }
    }
  }

  // Threads.

  bool at_condition() const {
    return in_.at("locations") || in_.at("exists") || in_.at("forall") || in_.at("~") || in_.at("not") ||
           in_.at("filter") || in_.at_end();
  }

  void parse_thread() {
    const std::string name = "P" + std::to_string(test_.threads.size());
    if (!in_.at(name)) {
      in_.unexpected("write " + name + " or a condition; for functions and global variables, " + kUseCheck);
    }
    if (test_.threads.size() == kMostThreads) in_.fail(std::string("more than 200 threads; ") + kUseCheck);
    const Place place = in_.take().place;
    in_.expect("(", "after " + name);
    std::vector<Parameter> parameters;
    if (in_.at("void") && in_.peek(1).text == ")") in_.take();
    if (!in_.at(")")) {
      do parameters.push_back(parse_parameter(parameters));
      while (in_.accept(","));
    }
    in_.expect(")", "after the parameters of " + name);
    in_.expect("{", "to open the code of " + name);
    std::vector<std::string> given;
    for (const Initial& i : test_.initial) {
      if (i.target.thread == static_cast<int>(test_.threads.size())) given.push_back(i.target.name);
    }
    for (const Parameter& p : parameters) {
      if (std::find(given.begin(), given.end(), p.name) != given.end()) {
        in_.fail(in_quotes(p.name) + " is a register in the init block and a parameter of " + name + "; rename one");
      }
    }
    test_.threads.push_back(parse_body(in_, name, parameters, given));
    test_.threads.back().place = place;
  }

  Parameter parse_parameter(const std::vector<Parameter>& others) {
    const Place start = in_.place();
    const Type type = parse_type();
    if (in_.place().line == start.line && in_.place().column == start.column) {
      in_.unexpected("write a parameter such as `atomic_int* x`, of type int or long or atomic");
    }
    if (!type.pointer && in_.at_word() && in_.peek(1).kind == Token::Kind::word) {
      in_.fail("the type " + in_quotes(in_.peek().text) + " is not supported; use `int*` or `atomic_int*`");
    }
    if (!type.pointer) in_.fail("a parameter must be a pointer to a location; write `int* x` or `atomic_int* x`");
    const Target target{-1, {}, in_.place()};
    Parameter parameter{in_.word("the name of a parameter"), type.atomic};
    if (in_.at("[")) in_.fail(std::string("arrays are not supported; ") + kUseCheck);
    for (const Parameter& other : others) {
      if (other.name == parameter.name)
        in_.fail(target.place, in_quotes(other.name) + " is a parameter twice; remove one");
    }
    add_location({-1, parameter.name, target.place});
    return parameter;
  }

  // What is observed.

  void parse_locations() {
    in_.expect("[", "after locations");
    while (!in_.accept("]")) {
      if (in_.accept(";")) continue;
      test_.observed.push_back(in_.target("to be observed"));
      if (!in_.at("]")) in_.expect(";", "between what is observed");
    }
  }

  void parse_condition() {
    if (in_.at("filter")) in_.fail("filter is not supported; make it a part of the condition");
    const bool negated = in_.accept("~") || in_.accept("not");
    if (in_.accept("exists")) {
      test_.quantifier = negated ? Quantifier::not_exists : Quantifier::exists;
    } else if (!negated && in_.accept("forall")) {
      test_.quantifier = Quantifier::forall;
    } else {
      in_.unexpected("write a condition with exists, ~exists or forall (`exists true` only lists the states)");
    }
    test_.proposition = parse_implication();
  }

  using Kind = Condition::Kind;

  Proposition parse_implication() {
    const Depth depth(depth_, in_);
    Proposition left = parse_list(Kind::disjunction);
    if (!in_.accept("=>")) return left;
    Proposition p;
    p.kind = Kind::implication;
    p.parts.push_back(std::move(left));
    p.parts.push_back(parse_implication());
    return p;
  }

  // p \/ q \/ …, where each is q /\ r /\ …
  Proposition parse_list(Kind kind) {
    const bool outer = kind == Kind::disjunction;
    Proposition list;
    list.kind = kind;
    do list.parts.push_back(outer ? parse_list(Kind::conjunction) : parse_negation());
    while (in_.accept(outer ? "\\/" : "/\\"));
    if (list.parts.size() > 1) return list;
    Proposition only = std::move(list.parts[0]);
    return only;
  }

  Proposition parse_negation() {
    const Depth depth(depth_, in_);
    Proposition p;
    if (in_.accept("~") || in_.accept("not")) {
      p.kind = Kind::negation;
      p.parts.push_back(parse_negation());
      return p;
    }
    if (in_.accept("(")) {
      p = parse_implication();
      in_.expect(")", "in the condition");
      return p;
    }
    if (in_.at("true") || in_.at("false")) {
      p.constant = in_.take().text == "true";
      return p;
    }
    return parse_atom();
  }

  Proposition parse_atom() {
    Proposition p;
    p.target = in_.target("in the condition");
    p.kind = in_.at("!=") ? Kind::different : Kind::equal;
    if (!in_.accept("!=") && !in_.accept("==")) in_.expect("=", "in the condition");
    p.number = in_.number("in the condition");
    return p;
  }

  Reader in_;
  Test test_;
  unsigned depth_ = 0;
};

}  // namespace

std::string Reader::shown() const { return at_end() ? "end of the file" : in_quotes(peek().text); }

void Reader::expect(std::string_view text, const std::string& where) {
  if (!accept(text)) unexpected("write " + in_quotes(text) + " " + where);
}

std::string Reader::word(const std::string& what) {
  if (!at_word()) unexpected("write " + what);
  return std::string(take().text);
}

int64_t Reader::number(const std::string& where) {
  const bool negative = accept("-");
  if (!at_number()) unexpected("write a number " + where);
  const uint64_t n = peek().number;
  if (!negative && n > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    fail("the number is too large; values have 64 bits and a sign");
  }
  take();
  return static_cast<int64_t>(negative ? -n : n);
}

Target Reader::target(const std::string& where) {
  const std::string what = "a location, or a register such as 0:r0, " + where;
  constexpr uint64_t kMost = 10'000;
  Target t{-1, {}, place()};
  if (accept("[")) {
    t.name = word(what);
    expect("]", "after " + in_quotes(t.name));
    return t;
  }
  if (at_number()) {
    if (peek().number > kMost) fail("there is no such thread; use the numbers of P0, P1, …");
    t.thread = static_cast<int>(take().number);
    expect(":", "between a thread and its register");
  }
  t.name = word(what);
  return t;
}

Test parse_test(const Tokens& tokens, const std::string& file) { return TestParser(tokens, file).run(); }

}  // namespace heddle::litmus
