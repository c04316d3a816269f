// Each local variable has a register of its own, so that it can be observed at the end; intermediate values take the
// registers above them. Operands are evaluated from left to right.
#include "litmus/translate.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "core/assert.hpp"

namespace heddle::litmus {
namespace {

using Kind = Expression::Kind;

constexpr std::size_t kLongest = 10'000;  // instructions of a thread

ScriptValue number(uint64_t n) { return {-1, n}; }
ScriptValue in_register(uint8_t r) { return {static_cast<int8_t>(r), 0}; }
bool is_number(const ScriptValue& v) { return v.reg < 0; }

[[maybe_unused]] std::size_t parts_of(Kind kind) {
  switch (kind) {
    case Kind::number:
    case Kind::local:
    case Kind::load:
    case Kind::fence: return 0;
    case Kind::store:
    case Kind::rmw:
    case Kind::cas: return 1;
    case Kind::calculation:
    case Kind::both:
    case Kind::either: return 2;
    case Kind::conditional: return 3;
  }
  __builtin_unreachable();
}

class ThreadTranslator {
 public:
  ThreadTranslator(const Thread& thread, const std::string& name, const std::vector<Target>& locations,
                   const std::string& file)
      : thread_(thread), name_(name), locations_(locations), file_(file), at_(thread.place) {
    check_registers(thread.locals.size());
  }

  void start(const std::string& local, int64_t value) {
    set(register_of(local), Calculation::add, number(static_cast<uint64_t>(value)), number(0));
  }

  void run() { translate(thread_.body); }

  std::vector<Instruction> code;
  std::vector<Place> places;

 private:
  // Registers.

  uint8_t register_of(const std::string& local) const {
    const auto at = std::find(thread_.locals.begin(), thread_.locals.end(), local);
    HEDDLE_ASSERT(at != thread_.locals.end());
    return static_cast<uint8_t>(at - thread_.locals.begin());
  }

  void check_registers(std::size_t used) const {
    if (used <= kScriptRegisters) return;
    fail(file_, at_,
         name_ + " needs more than " + std::to_string(kScriptRegisters) +
             " values at a time; use fewer local variables or smaller expressions, or " + kUseCheck);
  }

  // Registers above those of the locals are taken and given back like a stack.
  uint8_t take() {
    const std::size_t r = thread_.locals.size() + intermediate_++;
    check_registers(r + 1);
    return static_cast<uint8_t>(r);
  }

  // Instructions.

  std::size_t emit(const Instruction& i) {
    if (code.size() == kLongest) fail(file_, at_, name_ + " is too long; " + kUseCheck);
    code.push_back(i);
    places.push_back(at_);
    return code.size() - 1;
  }

  void set(uint8_t reg, Calculation c, const ScriptValue& a, const ScriptValue& b) {
    Instruction i;
    i.op = ScriptOp::set;
    i.reg = reg;
    i.calculation = c;
    i.operand = a;
    i.second_reg = b.reg;
    i.constant = b.constant;
    emit(i);
  }

  void copy(uint8_t reg, const ScriptValue& v) {
    if (v != in_register(reg)) set(reg, Calculation::add, v, number(0));
  }

  // A test of a value that is not a number against 0.
  Instruction test(ScriptOp op, const ScriptValue& v, bool zero) {
    HEDDLE_ASSERT(!is_number(v));
    Instruction i;
    i.op = op;
    i.reg = static_cast<uint8_t>(v.reg);
    i.constant = -v.constant;
    i.equal = zero;
    return i;
  }

  std::size_t skip_if(const ScriptValue& v, bool zero) { return emit(test(ScriptOp::skip, v, zero)); }

  std::size_t skip_always() {
    const uint8_t t = take();
    copy(t, number(0));
    --intermediate_;
    return skip_if(in_register(t), true);
  }

  void land(std::size_t skip) {
    HEDDLE_ASSERT(code[skip].op == ScriptOp::skip && code.size() - skip - 1 <= UINT16_MAX);
    code[skip].length = static_cast<uint16_t>(code.size() - skip - 1);
  }

  // Statements.

  void translate(const std::vector<Statement>& statements) {
    for (const Statement& s : statements) translate(s);
  }

  void translate(const Statement& s) {
    if (s.value) at_ = s.value->place;
    switch (s.kind) {
      case Statement::Kind::assignment: into(register_of(s.name), *s.value); break;
      case Statement::Kind::expression: evaluate(*s.value); break;
      case Statement::Kind::block: translate(s.body); break;
      case Statement::Kind::branch: branch(s); break;
    }
    intermediate_ = 0;
  }

  void branch(const Statement& s) {
    const ScriptValue condition = evaluate(*s.value);
    intermediate_ = 0;
    if (is_number(condition)) return translate(condition.constant != 0 ? s.body : s.otherwise);
    const std::size_t over_body = skip_if(condition, true);
    translate(s.body);
    if (s.otherwise.empty()) return land(over_body);
    const std::size_t over_otherwise = skip_always();
    land(over_body);
    translate(s.otherwise);
    land(over_otherwise);
  }

  // Expressions.

  // The value, in a number, a local, or an intermediate register that the caller gives back.
  ScriptValue evaluate(const Expression& e) {
    HEDDLE_ASSERT(e.parts.size() == parts_of(e.kind));
    switch (e.kind) {
      case Kind::number: return number(e.number);
      case Kind::local: return in_register(register_of(e.name));
      case Kind::calculation: return calculation(e, nullptr);
      case Kind::both:
      case Kind::either: return logical(e);
      case Kind::conditional: return conditional(e);
      case Kind::load:
      case Kind::rmw: return access(e, nullptr);
      case Kind::cas: return cas(e);
      case Kind::store: access(e, nullptr); break;
      case Kind::fence: fence(e); break;
    }
    return number(0);
  }

  void into(uint8_t reg, const Expression& e) {
    HEDDLE_ASSERT(e.parts.size() == parts_of(e.kind));
    if (e.kind == Kind::calculation) {
      copy(reg, calculation(e, &reg));
    } else if (e.kind == Kind::load || e.kind == Kind::rmw) {
      access(e, &reg);
    } else {
      copy(reg, evaluate(e));
    }
  }

  // The registers of the operands are free again when the result is written: an instruction reads before it writes.
  ScriptValue calculation(const Expression& e, const uint8_t* target) {
    const unsigned before = intermediate_;
    ScriptValue a = evaluate(e.parts[0]);
    if (e.parts[1].changes_local && !is_number(a)) {
      const ScriptValue value = a;
      intermediate_ = before;
      a = in_register(take());
      copy(static_cast<uint8_t>(a.reg), value);
    }
    ScriptValue b = evaluate(e.parts[1]);
    at_ = e.place;
    if (e.swapped) std::swap(a, b);
    if (e.calculation == Calculation::div || e.calculation == Calculation::mod) check_divisor(b);
    if (is_number(a) && is_number(b)) return number(calculate(e.calculation, a.constant, b.constant));
    // A register plus a number is a value already.
    if (e.calculation == Calculation::add && is_number(a)) return {b.reg, a.constant + b.constant};
    if (e.calculation == Calculation::add && is_number(b)) return {a.reg, a.constant + b.constant};
    if (e.calculation == Calculation::sub && is_number(b)) return {a.reg, a.constant - b.constant};
    intermediate_ = before;
    const uint8_t result = target ? *target : take();
    set(result, e.calculation, a, b);
    return in_register(result);
  }

  void check_divisor(const ScriptValue& b) {
    if (!is_number(b)) {
      emit(test(ScriptOp::check, b, false));
    } else if (b.constant == 0) {
      fail(file_, at_, "division by zero; mend the divisor");
    }
  }

  ScriptValue logical(const Expression& e) {
    const uint8_t result = take();
    const unsigned before = intermediate_;
    const bool is_and = e.kind == Kind::both;
    const ScriptValue a = evaluate(e.parts[0]);
    intermediate_ = before;
    if (is_number(a) && (a.constant != 0) != is_and) {  // the second part does not matter
      --intermediate_;
      return number(is_and ? 0 : 1);
    }
    std::optional<std::size_t> skip;
    if (!is_number(a)) {
      set(result, Calculation::ne, a, number(0));
      skip = skip_if(in_register(result), is_and);
    }
    const ScriptValue b = evaluate(e.parts[1]);
    intermediate_ = before;
    set(result, Calculation::ne, b, number(0));
    if (skip) land(*skip);
    return in_register(result);
  }

  ScriptValue conditional(const Expression& e) {
    const uint8_t result = take();
    const unsigned before = intermediate_;
    const ScriptValue condition = evaluate(e.parts[0]);
    intermediate_ = before;
    if (is_number(condition)) {
      into(result, e.parts[condition.constant != 0 ? 1 : 2]);
      intermediate_ = before;
      return in_register(result);
    }
    const std::size_t over_yes = skip_if(condition, true);
    into(result, e.parts[1]);
    intermediate_ = before;
    const std::size_t over_no = skip_always();
    land(over_yes);
    into(result, e.parts[2]);
    intermediate_ = before;
    land(over_no);
    return in_register(result);
  }

  uint8_t location_of(const std::string& name) const {
    const auto at = std::find_if(locations_.begin(), locations_.end(), [&](const Target& t) { return t.name == name; });
    HEDDLE_ASSERT(at != locations_.end());
    return static_cast<uint8_t>(at - locations_.begin());
  }

  Instruction accessing(const Expression& e, ScriptOp op) const {
    Instruction i;
    i.op = op;
    i.location = location_of(e.name);
    i.mode = e.mode;
    i.rmw = e.rmw;
    return i;
  }

  // load, store, rmw
  ScriptValue access(const Expression& e, const uint8_t* target) {
    const unsigned before = intermediate_;
    Instruction i = accessing(e, e.kind == Kind::load    ? ScriptOp::load
                                 : e.kind == Kind::store ? ScriptOp::store
                                                         : ScriptOp::rmw);
    if (!e.parts.empty()) i.operand = evaluate(e.parts[0]);
    intermediate_ = before;
    at_ = e.place;
    if (e.kind != Kind::store) i.reg = target ? *target : take();
    emit(i);
    return in_register(i.reg);
  }

  // expected = read; the result is whether that changed nothing.
  ScriptValue cas(const Expression& e) {
    const unsigned before = intermediate_;
    Instruction i = accessing(e, ScriptOp::cas);
    i.operand = evaluate(e.parts[0]);
    intermediate_ = before;
    const uint8_t expected = register_of(e.expected);
    const uint8_t success = take();
    const uint8_t read = take();
    at_ = e.place;
    i.fail_mode = e.fail_mode;
    i.reg = read;
    i.second_reg = static_cast<int8_t>(expected);
    emit(i);
    set(success, Calculation::eq, in_register(read), in_register(expected));
    copy(expected, in_register(read));
    intermediate_ = before + 1;
    return in_register(success);
  }

  void fence(const Expression& e) {
    if (e.mode == Mode::rlx) return;  // has no effect
    at_ = e.place;
    Instruction i;
    i.op = ScriptOp::fence;
    i.mode = e.mode;
    emit(i);
  }

  const Thread& thread_;
  const std::string name_;
  const std::vector<Target>& locations_;
  const std::string& file_;
  unsigned intermediate_ = 0;
  Place at_;  // what is being translated
};

class Translator {
 public:
  Translator(const Test& test, const std::string& file) : test_(test), file_(file) {}

  Litmus run() {
    litmus_.file = file_;
    litmus_.name = test_.name;
    litmus_.quantifier = test_.quantifier;
    for (const Target& l : test_.locations) litmus_.script.locations.push_back({l.name, 0, false});
    for (const Initial& i : test_.initial) {
      if (i.target.thread < 0) {
        litmus_.script.locations[*location(i.target.name)].initial = static_cast<uint64_t>(i.value);
      }
    }
    litmus_.script.threads.emplace_back();
    litmus_.places.emplace_back();
    for (std::size_t t = 0; t < test_.threads.size(); ++t) add_thread(t);
    observe();
    add_main();
    litmus_.condition = condition(test_.proposition);
    constexpr const char* kQuantifiers[] = {"exists", "~exists", "forall"};
    litmus_.condition_text =
        std::string(kQuantifiers[static_cast<int>(test_.quantifier)]) + " (" + text(test_.proposition, 0) + ")";
    if (const std::string p = problem(litmus_.script); !p.empty()) throw std::logic_error("litmus translation: " + p);
    return std::move(litmus_);
  }

 private:
  std::optional<std::size_t> location(const std::string& name) const {
    for (std::size_t l = 0; l < test_.locations.size(); ++l) {
      if (test_.locations[l].name == name) return l;
    }
    return std::nullopt;
  }

  void add_thread(std::size_t t) {
    ThreadTranslator thread(test_.threads[t], "P" + std::to_string(t), test_.locations, file_);
    for (const Initial& i : test_.initial) {
      if (i.target.thread == static_cast<int>(t)) thread.start(i.target.name, i.value);
    }
    thread.run();
    HEDDLE_ASSERT(thread.code.size() == thread.places.size());
    litmus_.script.threads.push_back(std::move(thread.code));
    litmus_.places.push_back(std::move(thread.places));
  }

  // Observed things.

  void observe() {
    std::vector<Target> targets = test_.observed;
    collect(test_.proposition, targets);
    const auto key = [](const Target& t) { return std::make_tuple(t.thread < 0, t.thread, t.name); };
    std::stable_sort(targets.begin(), targets.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    unsigned locations = 0;
    for (const Target& t : targets) {
      if (index(t)) continue;
      if (t.thread >= 0) {
        observe_register(t);
      } else {
        if (!location(t.name)) {
          fail(file_, t.place,
               "there is no location " + in_quotes(t.name) +
                   "; name a parameter, or a register with its thread, as 0:r0");
        }
        if (locations == kScriptRegisters) {
          fail(file_, t.place,
               "more than " + std::to_string(kScriptRegisters) + " locations are observed; leave some out");
        }
        litmus_.observed.push_back({t.name, kMain, static_cast<uint8_t>(locations++)});
      }
      observed_.emplace(name_of(t), litmus_.observed.size() - 1);
    }
  }

  void observe_register(const Target& t) {
    const auto thread = static_cast<std::size_t>(t.thread);
    const std::string p = "P" + std::to_string(thread);
    if (thread >= test_.threads.size()) fail(file_, t.place, "there is no " + p + "; use the number of a thread");
    const std::vector<std::string>& locals = test_.threads[thread].locals;
    const auto at = std::find(locals.begin(), locals.end(), t.name);
    if (at == locals.end()) {
      fail(file_, t.place,
           p + " has no local variable " + in_quotes(t.name) + "; declare it there, or correct the name");
    }
    litmus_.observed.push_back({name_of(t), ThreadId(thread + 1), static_cast<uint8_t>(at - locals.begin())});
  }

  static void collect(const Proposition& p, std::vector<Target>& targets) {
    if (p.kind == Condition::Kind::equal || p.kind == Condition::Kind::different) targets.push_back(p.target);
    for (const Proposition& part : p.parts) collect(part, targets);
  }

  static std::string name_of(const Target& t) {
    return t.thread < 0 ? t.name : std::to_string(t.thread) + ":" + t.name;
  }

  std::optional<std::size_t> index(const Target& t) const {
    const auto at = observed_.find(name_of(t));
    return at == observed_.end() ? std::nullopt : std::optional(at->second);
  }

  // Creates the threads, joins them, loads what is observed.
  void add_main() {
    std::vector<Instruction>& main = litmus_.script.threads[0];
    for (const ScriptOp op : {ScriptOp::create, ScriptOp::join}) {
      for (std::size_t t = 1; t < litmus_.script.threads.size(); ++t) {
        Instruction i;
        i.op = op;
        i.thread = static_cast<uint8_t>(t);
        main.push_back(i);
      }
    }
    for (const Observed& o : litmus_.observed) {
      if (o.thread != kMain) continue;
      Instruction i;
      i.op = ScriptOp::load;
      i.mode = Mode::rlx;
      i.location = static_cast<uint8_t>(*location(o.name));
      i.reg = o.reg;
      main.push_back(i);
    }
    litmus_.places[0].resize(main.size());
  }

  // The condition.

  Condition condition(const Proposition& p) const {
    Condition c;
    c.kind = p.kind;
    c.constant = p.constant;
    c.number = p.number;
    if (p.kind == Condition::Kind::equal || p.kind == Condition::Kind::different) {
      HEDDLE_ASSERT(index(p.target));
      c.observed = *index(p.target);
    }
    for (const Proposition& part : p.parts) c.parts.push_back(condition(part));
    return c;
  }

  static constexpr int precedence(Condition::Kind k) {
    return k == Condition::Kind::implication   ? 1
           : k == Condition::Kind::disjunction ? 2
           : k == Condition::Kind::conjunction ? 3
                                               : 5;
  }

  // In parentheses where `around` binds tighter.
  static std::string text(const Proposition& p, int around) {
    const int own = precedence(p.kind);
    std::string out;
    switch (p.kind) {
      case Condition::Kind::constant: return p.constant ? "true" : "false";
      case Condition::Kind::equal: return name_of(p.target) + "=" + std::to_string(p.number);
      case Condition::Kind::different: return name_of(p.target) + "!=" + std::to_string(p.number);
      case Condition::Kind::negation: return "not (" + text(p.parts[0], 0) + ")";
      case Condition::Kind::implication: out = text(p.parts[0], own + 1) + " => " + text(p.parts[1], own); break;
      case Condition::Kind::disjunction:
      case Condition::Kind::conjunction:
        for (const Proposition& part : p.parts) {
          if (!out.empty()) out += p.kind == Condition::Kind::conjunction ? " /\\ " : " \\/ ";
          out += text(part, own + 1);
        }
    }
    return own < around ? "(" + out + ")" : out;
  }

  const Test& test_;
  const std::string& file_;
  Litmus litmus_;
  std::map<std::string, std::size_t> observed_;  // where a name stands in Litmus::observed
};

}  // namespace

Litmus translate(const Test& test, const std::string& file) { return Translator(test, file).run(); }

}  // namespace heddle::litmus
