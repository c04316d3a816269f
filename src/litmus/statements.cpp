// The code of one thread: the statements and expressions of C that a litmus test may use.
#include <algorithm>
#include <array>
#include <optional>

#include "litmus/parser.hpp"

namespace heddle::litmus {
namespace {

using Kind = Expression::Kind;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_type(std::string_view word) { return is_one_of(word, {"int", "long"}); }

bool is_other_type(std::string_view word) {
  return is_one_of(word,
                   {"unsigned",  "signed",   "short",    "char",       "bool",        "_Bool",       "float",
                    "double",    "void",     "struct",   "union",      "enum",        "typedef",     "static",
                    "const",     "volatile", "register", "auto",       "_Atomic",     "size_t",      "intptr_t",
                    "uintptr_t", "int8_t",   "int16_t",  "int32_t",    "int64_t",     "uint8_t",     "uint16_t",
                    "uint32_t",  "uint64_t", "atomic_t", "atomic_int", "atomic_uint", "atomic_long", "atomic_bool"});
}

std::optional<Mode> mode_named(std::string_view word) {
  constexpr std::string_view kPrefix = "memory_order_";
  if (!word.starts_with(kPrefix)) return std::nullopt;
  word.remove_prefix(kPrefix.size());
  if (word == "relaxed") return Mode::rlx;
  if (word == "acquire" || word == "consume") return Mode::acq;
  if (word == "release") return Mode::rel;
  if (word == "acq_rel") return Mode::acqrel;
  if (word == "seq_cst") return Mode::sc;
  return std::nullopt;
}

// A function of <stdatomic.h>. Those with an order exist with and without _explicit.
struct Function {
  std::string_view name;
  Kind kind;
  RmwOp rmw = RmwOp::xchg;
};

constexpr Function kFunctions[] = {
    {"atomic_load", Kind::load},
    {"atomic_store", Kind::store},
    {"atomic_exchange", Kind::rmw, RmwOp::xchg},
    {"atomic_fetch_add", Kind::rmw, RmwOp::add},
    {"atomic_fetch_sub", Kind::rmw, RmwOp::sub},
    {"atomic_fetch_or", Kind::rmw, RmwOp::bor},
    {"atomic_fetch_and", Kind::rmw, RmwOp::band},
    {"atomic_fetch_xor", Kind::rmw, RmwOp::bxor},
    {"atomic_compare_exchange_strong", Kind::cas},
    {"atomic_compare_exchange_weak", Kind::cas},
    {"atomic_thread_fence", Kind::fence},
};

struct Operator {
  std::string_view sign;
  int precedence;  // the higher, the tighter
  Kind kind;
  Calculation calculation = Calculation::add;
  bool swapped = false;  // a > b is b < a
};

constexpr Operator kOperators[] = {
    {"||", 1, Kind::either},
    {"&&", 2, Kind::both},
    {"|", 3, Kind::calculation, Calculation::bor},
    {"^", 4, Kind::calculation, Calculation::bxor},
    {"&", 5, Kind::calculation, Calculation::band},
    {"==", 6, Kind::calculation, Calculation::eq},
    {"!=", 6, Kind::calculation, Calculation::ne},
    {"<", 7, Kind::calculation, Calculation::lt},
    {"<=", 7, Kind::calculation, Calculation::le},
    {">", 7, Kind::calculation, Calculation::lt, true},
    {">=", 7, Kind::calculation, Calculation::le, true},
    {"<<", 8, Kind::calculation, Calculation::shl},
    {">>", 8, Kind::calculation, Calculation::shr},
    {"+", 9, Kind::calculation, Calculation::add},
    {"-", 9, Kind::calculation, Calculation::sub},
    {"*", 10, Kind::calculation, Calculation::mul},
    {"/", 10, Kind::calculation, Calculation::div},
    {"%", 10, Kind::calculation, Calculation::mod},
};

class BodyParser {
 public:
  BodyParser(Reader& in, const std::string& name, const std::vector<Parameter>& parameters,
             const std::vector<std::string>& given)
      : in_(in), name_(name), parameters_(parameters), given_(given) {
    thread_.locals = given;
  }

  Thread run() {
    thread_.body = block();
    return std::move(thread_);
  }

 private:
  // Statements.

  // From after `{` to `}`.
  std::vector<Statement> block() {
    const Depth depth(depth_, in_);
    std::vector<Statement> statements;
    scopes_.emplace_back();
    while (!in_.accept("}")) {
      if (in_.at_end()) in_.unexpected("write '}' after the code of " + name_);
      statement(statements);
    }
    scopes_.pop_back();
    return statements;
  }

  void statement(std::vector<Statement>& out) {
    const Depth depth(depth_, in_);
    if (in_.accept(";")) return;
    refuse_keywords();
    if (in_.accept("{")) {
      Statement s;
      s.body = block();
      out.push_back(std::move(s));
    } else if (in_.at_word() && is_type(in_.peek().text)) {
      declaration(out);
    } else if (in_.accept("if")) {
      out.push_back(branch());
    } else {
      out.push_back(simple());
      end_of_statement();
    }
  }

  void refuse_keywords() {
    if (!in_.at_word()) return;
    const std::string_view word = in_.peek().text;
    if (is_one_of(word, {"for", "while", "do"})) in_.fail(std::string("loops are not supported; ") + kUseCheck);
    if (is_one_of(word, {"switch", "case", "goto", "break", "continue", "return", "else", "asm", "__asm__"}))
      in_.fail(in_quotes(word) + " is not supported here; use if and else, or " + kUseCheck);
    if (is_other_type(word))
      in_.fail("the type " + in_quotes(word) + " is not supported here; local variables are int or long");
  }

  void end_of_statement() {
    if (is_one_of(in_.peek().text, {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"}))
      in_.fail(in_.shown() + " is not supported here; write an assignment such as r0 = r0 + 1 or *x = 1");
    in_.expect(";", "after the statement");
  }

  void declaration(std::vector<Statement>& out) {
    while (in_.at_word() && is_type(in_.peek().text)) in_.take();
    do {
      if (in_.at("*")) in_.fail(std::string("local pointers are not supported; ") + kUseCheck);
      const Place at = in_.place();
      const std::string name = in_.word("the name of a local variable");
      if (in_.at("[")) in_.fail(std::string("arrays are not supported; ") + kUseCheck);
      if (in_.at("(")) in_.fail(std::string("functions are not supported; ") + kUseCheck);
      // As in C, the name is known in its own initial value.
      declare(name, at);
      if (in_.accept("=")) out.push_back(assignment(name));
    } while (in_.accept(","));
    end_of_statement();
  }

  void declare(const std::string& name, Place at) {
    if (parameter(name)) in_.fail(at, in_quotes(name) + " is a parameter of " + name_ + "; use another name");
    if (is_type(name) || is_other_type(name)) in_.fail(at, in_quotes(name) + " is a type; write a name");
    for (std::size_t s = 0; s < scopes_.size(); ++s) {
      if (std::find(scopes_[s].begin(), scopes_[s].end(), name) == scopes_[s].end()) continue;
      if (s + 1 == scopes_.size()) in_.fail(at, in_quotes(name) + " is declared twice; remove one");
      in_.fail(at, in_quotes(name) + " is declared in an outer block already; use another name");
    }
    scopes_.back().push_back(name);
    std::vector<std::string>& all = thread_.locals;
    if (std::find(all.begin(), all.end(), name) != all.end()) return;
    if (all.size() == kScriptRegisters) {
      in_.fail(at, name_ + " has more than " + std::to_string(kScriptRegisters) + " local variables; use fewer, or " +
                       kUseCheck);
    }
    all.push_back(name);
  }

  Statement assignment(const std::string& name) {
    Statement s;
    s.kind = Statement::Kind::assignment;
    s.name = name;
    s.value = value();
    return s;
  }

  Statement branch() {
    Statement s;
    s.kind = Statement::Kind::branch;
    in_.expect("(", "after if");
    s.value = value();
    in_.expect(")", "after the condition of if");
    s.body = one_statement();
    if (in_.accept("else")) s.otherwise = one_statement();
    return s;
  }

  std::vector<Statement> one_statement() {
    std::vector<Statement> statements;
    scopes_.emplace_back();
    statement(statements);
    scopes_.pop_back();
    return statements;
  }

  // r0 = …, *x = …, or an expression.
  Statement simple() {
    if (in_.at_word() && in_.peek(1).text == "=") {
      const Place at = in_.place();
      const std::string name(in_.take().text);
      require_local(name, at);
      in_.take();
      return assignment(name);
    }
    Statement s;
    s.kind = Statement::Kind::expression;
    if (in_.at("*") && in_.peek(1).kind == Token::Kind::word && in_.peek(2).text == "=") {
      Expression store;
      store.kind = Kind::store;
      store.place = in_.take().place;
      const Parameter& p = location();
      store.name = p.name;
      store.mode = p.atomic ? Mode::sc : Mode::na;
      in_.take();
      store = with_parts(std::move(store), value());
      s.value = std::move(store);
      return s;
    }
    if (in_.at("(") && in_.peek(1).text == "void" && in_.peek(2).text == ")") in_.take(), in_.take(), in_.take();
    s.value = conditional();
    return s;
  }

  // Names.

  const Parameter* parameter(std::string_view name) const {
    const auto at = std::find_if(parameters_.begin(), parameters_.end(), [&](const auto& p) { return p.name == name; });
    return at == parameters_.end() ? nullptr : &*at;
  }

  bool is_local(const std::string& name) const {
    const auto has = [&](const auto& list) { return std::find(list.begin(), list.end(), name) != list.end(); };
    return has(given_) || std::any_of(scopes_.begin(), scopes_.end(), has);
  }

  void require_local(const std::string& name, Place at) const {
    if (parameter(name)) {
      in_.fail(at, in_quotes(name) + " is a pointer; write * before it, or use an atomic_ function");
    }
    if (!is_local(name))
      in_.fail(at, in_quotes(name) + " is not declared in " + name_ + "; declare it with int, or make it a parameter");
  }

  // The name of a parameter, which stands for a location.
  const Parameter& location() {
    if (!in_.at_word()) in_.unexpected("write a parameter of " + name_);
    const Parameter* p = parameter(in_.peek().text);
    if (!p) {
      const std::string name(in_.peek().text);
      if (is_local(name)) in_.fail(in_quotes(name) + " is a local variable; use a parameter of " + name_ + " here");
      in_.fail(in_quotes(name) + " is not a parameter of " + name_ + "; add it there, as atomic_int* or int*");
    }
    in_.take();
    return *p;
  }

  // Expressions.

  template <class... Parts>
  Expression with_parts(Expression e, Parts... parts) {
    constexpr unsigned kDeepest = 400;
    (e.parts.push_back(std::move(parts)), ...);
    for (const Expression& part : e.parts) {
      e.depth = std::max(e.depth, part.depth + 1);
      e.changes_local |= part.changes_local;
    }
    if (e.depth > kDeepest) in_.fail("this is nested too deeply; split it up");
    return e;
  }

  // An expression that has a value.
  Expression value() { return needed(conditional()); }

  Expression needed(Expression e) const {
    if (e.kind == Kind::store) in_.fail(e.place, "a store has no value; make it a statement of its own");
    if (e.kind == Kind::fence) in_.fail(e.place, "a fence has no value; make it a statement of its own");
    if (in_.at("=")) in_.fail("an assignment inside an expression is not supported; make it a statement of its own");
    return e;
  }

  Expression conditional() {
    const Depth depth(depth_, in_);
    Expression condition = binary(1);
    if (!in_.at("?")) return condition;
    Expression e;
    e.kind = Kind::conditional;
    e.place = in_.take().place;
    condition = needed(std::move(condition));
    Expression yes = value();
    in_.expect(":", "after the second part of ?:");
    return with_parts(std::move(e), std::move(condition), std::move(yes), value());
  }

  Expression binary(int precedence) {
    const Depth depth(depth_, in_);
    Expression left = unary();
    for (;;) {
      const auto op = std::find_if(std::begin(kOperators), std::end(kOperators), [&](const Operator& o) {
        return in_.at(o.sign) && in_.peek().kind == Token::Kind::sign;
      });
      if (op == std::end(kOperators) || op->precedence < precedence) return left;
      Expression e;
      e.kind = op->kind;
      e.calculation = op->calculation;
      e.place = in_.take().place;
      e.swapped = op->swapped;
      left = needed(std::move(left));
      left = with_parts(std::move(e), std::move(left), needed(binary(op->precedence + 1)));
    }
  }

  Expression unary() {
    const Depth depth(depth_, in_);
    Expression e;
    e.place = in_.place();
    if (in_.accept("+")) return needed(unary());
    if (in_.at("-") && in_.peek(1).kind == Token::Kind::number) {
      e.number = static_cast<uint64_t>(in_.number("here"));
      return e;
    }
    if (in_.accept("-")) return calculated(Calculation::sub, 0);
    if (in_.accept("~")) return calculated(Calculation::bxor, UINT64_MAX);
    if (in_.accept("!")) return calculated(Calculation::eq, 0);
    if (in_.accept("*")) {
      const Parameter& p = location();
      e.kind = Kind::load;
      e.name = p.name;
      e.mode = p.atomic ? Mode::sc : Mode::na;
      return e;
    }
    if (in_.at("&")) in_.fail("addresses are not supported; only a compare-exchange takes one, of a local variable");
    if (in_.at("++") || in_.at("--")) in_.fail(in_.shown() + " is not supported; write r0 = r0 + 1");
    return primary();
  }

  // `constant` OP the operand that follows.
  Expression calculated(Calculation c, uint64_t constant) {
    Expression e;
    e.kind = Kind::calculation;
    e.calculation = c;
    e.place = in_.place();
    Expression left;
    left.number = constant;
    return with_parts(std::move(e), std::move(left), needed(unary()));
  }

  Expression primary() {
    Expression e;
    e.place = in_.place();
    if (in_.at_number()) {
      e.number = static_cast<uint64_t>(in_.number("here"));
      return e;
    }
    if (in_.accept("(")) {
      if (in_.at_word() && (is_type(in_.peek().text) || is_other_type(in_.peek().text)))
        in_.fail("casts are not supported; all values have 64 bits, leave it out");
      e = value();
      in_.expect(")", "after the expression");
      return e;
    }
    if (!in_.at_word()) in_.unexpected("write an expression");
    if (in_.peek(1).text == "(") return call();
    e.kind = Kind::local;
    e.name = in_.take().text;
    require_local(e.name, e.place);
    if (in_.at("[")) in_.fail(std::string("arrays are not supported; ") + kUseCheck);
    return e;
  }

  // Calls.

  Expression call() {
    Expression e;
    e.place = in_.place();
    std::string_view name = in_.peek().text;
    const bool is_fence = name == "atomic_thread_fence";
    constexpr std::string_view kExplicit = "_explicit";
    const bool with_order = is_fence || name.ends_with(kExplicit);
    if (!is_fence && with_order) name.remove_suffix(kExplicit.size());
    const auto f =
        std::find_if(std::begin(kFunctions), std::end(kFunctions), [&](const auto& g) { return g.name == name; });
    if (f == std::end(kFunctions)) {
      in_.fail("the function " + in_.shown() + " is not known here; use the atomic_ functions of C, or " + kUseCheck);
    }
    e.kind = f->kind;
    e.rmw = f->rmw;
    in_.take();
    in_.expect("(", "after the function");
    return arguments(std::move(e), with_order);
  }

  Expression arguments(Expression e, bool with_order) {
    if (e.kind != Kind::fence) e.name = location().name;
    if (e.kind == Kind::cas) e.expected = expected();
    if (e.kind == Kind::store || e.kind == Kind::rmw || e.kind == Kind::cas) {
      comma();
      e = with_parts(std::move(e), value());
    }
    e.mode = Mode::sc;
    e.fail_mode = Mode::sc;
    if (with_order) {
      if (e.kind != Kind::fence) comma();
      e.mode = mode(e.kind, e.kind == Kind::load ? "a load" : "a store");
      if (e.kind == Kind::cas) {
        comma();
        e.fail_mode = mode(Kind::load, "a failed compare-exchange");
      }
    }
    if (e.kind == Kind::cas) e.changes_local = true;
    if (!with_order && in_.at(",") && mode_named(in_.peek(1).text)) {
      in_.unexpected("only the functions that end in _explicit take a memory order");
    }
    in_.expect(")", "after the arguments");
    return e;
  }

  void comma() { in_.expect(",", "before the next argument"); }

  std::string expected() {
    comma();
    if (!in_.at("&") || parameter(in_.peek(1).text)) {
      in_.fail("the expected value must be a local variable, given as &r0; copy it into one");
    }
    in_.take();
    const Place at = in_.place();
    std::string name = in_.word("the name of a local variable");
    require_local(name, at);
    return name;
  }

  Mode mode(Kind kind, const std::string& what) {
    const std::string_view word = in_.peek().text;
    const std::optional<Mode> m = mode_named(word);
    if (!m) in_.unexpected("write a memory order, such as memory_order_seq_cst");
    const bool releases = *m == Mode::rel || *m == Mode::acqrel;
    const bool acquires = *m == Mode::acq || *m == Mode::acqrel;
    if (kind == Kind::load && releases) {
      in_.fail(what + " cannot have " + std::string(word) + "; use relaxed, acquire or seq_cst");
    }
    if (kind == Kind::store && acquires) {
      in_.fail(what + " cannot have " + std::string(word) + "; use relaxed, release or seq_cst");
    }
    in_.take();
    return *m;
  }

  Reader& in_;
  const std::string& name_;
  const std::vector<Parameter>& parameters_;
  const std::vector<std::string>& given_;
  Thread thread_;
  std::vector<std::vector<std::string>> scopes_;  // the locals of the blocks around
  unsigned depth_ = 0;
};

}  // namespace

Thread parse_body(Reader& in, const std::string& thread, const std::vector<Parameter>& parameters,
                  const std::vector<std::string>& given) {
  return BodyParser(in, thread, parameters, given).run();
}

}  // namespace heddle::litmus
