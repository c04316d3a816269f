#include "script/script_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "core/error.hpp"

namespace heddle {
namespace {

// One, two or more characters of the text: a word, a number, or an operator.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) { advance(); }

  std::string_view peek() const { return token_; }
  bool at_end() const { return token_.empty(); }
  bool is_word() const { return !token_.empty() && (std::isalpha(static_cast<unsigned char>(token_[0])) != 0); }
  bool is_number() const { return !token_.empty() && (std::isdigit(static_cast<unsigned char>(token_[0])) != 0); }

  std::string_view take() {
    const std::string_view t = token_;
    advance();
    return t;
  }
  bool accept(std::string_view t) {
    if (token_ != t) return false;
    advance();
    return true;
  }
  void expect(std::string_view t) {
    if (!accept(t)) fail("'" + std::string(t) + "' expected");
  }
  uint64_t number() {
    uint64_t n = 0;
    const auto [end, error] = std::from_chars(token_.data(), token_.data() + token_.size(), n);
    if (error != std::errc() || end != token_.data() + token_.size()) fail("a number expected");
    advance();
    return n;
  }
  std::string_view word() {
    if (!is_word()) fail("a name expected");
    return take();
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw UserError("script: " + why + " at '" + std::string(text_.substr(start_, 20)) + "'");
  }

 private:
  static bool part_of_word(char c) { return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_'; }

  void advance() {
    while (next_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[next_])) != 0)) ++next_;
    start_ = next_;
    if (next_ == text_.size()) {
      token_ = {};
      return;
    }
    if (part_of_word(text_[next_])) {
      while (next_ < text_.size() && part_of_word(text_[next_])) ++next_;
    } else {
      const std::string_view two = text_.substr(next_, 2);
      next_ += two == "==" || two == "!=" || two == "||" ? 2 : 1;
    }
    token_ = text_.substr(start_, next_ - start_);
  }

  std::string_view text_;
  std::string_view token_;
  std::size_t start_ = 0;
  std::size_t next_ = 0;
};

std::optional<uint8_t> register_of(std::string_view word) {
  if (word.empty() || word[0] != 'r') return std::nullopt;
  uint8_t r = 0;
  const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), r);
  if (error != std::errc() || end != word.data() + word.size() || r >= kScriptRegisters) return std::nullopt;
  return r;
}

std::optional<RmwOp> rmw_of(std::string_view word) {
  for (int op = 0; op <= static_cast<int>(RmwOp::umin); ++op) {
    if (name(RmwOp(op)) == word) return RmwOp(op);
  }
  return std::nullopt;
}

std::optional<Calculation> calculation_of(std::string_view word) {
  for (int c = 0; c <= static_cast<int>(Calculation::le); ++c) {
    if (name(Calculation(c)) == word) return Calculation(c);
  }
  return std::nullopt;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(text) {}

  Script parse() {
    if (tokens_.accept("{")) parse_initial();
    const bool has_main = tokens_.accept("main");
    if (has_main) tokens_.expect(":");
    if (!has_main) {
      script_.threads.emplace_back();
      tokens_.accept("||");
    }
    do script_.threads.push_back(parse_thread());
    while (tokens_.accept("||"));
    if (!tokens_.at_end()) tokens_.fail("';' or '||' expected");
    if (!has_main) add_main();
    if (const std::string p = problem(script_); !p.empty()) throw UserError("script: " + p);
    return std::move(script_);
  }

 private:
  void parse_initial() {
    while (!tokens_.accept("}")) {
      const uint8_t l = location();
      if (tokens_.accept("places")) {
        script_.locations[l].places = tokens_.number();
        continue;
      }
      tokens_.expect("=");
      script_.locations[l].initial = tokens_.number();
    }
  }

  std::vector<Instruction> parse_thread() {
    std::vector<Instruction> code;
    while (!tokens_.at_end() && tokens_.peek() != "||") {
      code.push_back(parse_instruction());
      if (!tokens_.accept(";")) break;
    }
    return code;
  }

  void add_main() {
    std::vector<Instruction>& main = script_.threads[0];
    for (const ScriptOp op : {ScriptOp::create, ScriptOp::join}) {
      for (std::size_t t = 1; t < script_.threads.size(); ++t) {
        Instruction i;
        i.op = op;
        i.thread = static_cast<uint8_t>(t);
        main.push_back(i);
      }
    }
  }

  Instruction parse_instruction() {
    Instruction i;
    const std::string_view word = tokens_.word();
    if (word == "fence") {
      i.op = ScriptOp::fence;
      i.mode = mode();
    } else if (word == "mark" || word == "help") {
      i.op = word == "mark" ? ScriptOp::mark : ScriptOp::help;
      i.location = location();
      set_second(i, value());
      i.operand = value();
      i.mode = mode();
      i.fail_mode = mode();
    } else if (word == "leave") {
      i.op = ScriptOp::leave;
      i.location = location();
      i.operand = value();
    } else if (word == "lock" || word == "unlock") {
      i.op = word == "lock" ? ScriptOp::lock : ScriptOp::unlock;
      i.location = mutex();
    } else if (word == "create" || word == "join") {
      i.op = word == "create" ? ScriptOp::create : ScriptOp::join;
      i.thread = static_cast<uint8_t>(tokens_.number());
    } else if (word == "if" || word == "assume" || word == "assert") {
      parse_test(word, i);
    } else if (rmw_of(word)) {
      parse_rmw(word, i);
      i.unused = true;
    } else if (const auto r = register_of(word)) {
      i.reg = *r;
      tokens_.expect("=");
      parse_result(i);
    } else {
      i.op = ScriptOp::store;
      i.location = location(word);
      tokens_.expect("=");
      i.operand = value();
      i.mode = mode();
    }
    return i;
  }

  void parse_test(std::string_view word, Instruction& i) {
    i.op = word == "if" ? ScriptOp::skip : word == "assume" ? ScriptOp::assume : ScriptOp::check;
    i.reg = reg();
    parse_condition(i);
    if (i.op != ScriptOp::skip) return;
    tokens_.expect("skip");
    i.length = static_cast<uint16_t>(tokens_.number());
  }

  void parse_condition(Instruction& i) {
    i.equal = tokens_.accept("==");
    if (!i.equal) tokens_.expect("!=");
    i.constant = tokens_.number();
  }

  // The right-hand side of `r0 = …`.
  void parse_result(Instruction& i) {
    const std::string_view word = tokens_.word();
    if (word == "trylock") {
      i.op = ScriptOp::trylock;
      i.location = mutex();
    } else if (word == "arrive" || word == "drop") {
      i.op = ScriptOp::arrive;
      i.assumed = word == "drop";
      i.location = location();
      i.constant = tokens_.number();
    } else if (word == "look") {
      i.op = ScriptOp::look;
      i.location = location();
    } else if (word == "choose") {
      i.op = ScriptOp::choose;
      i.constant = tokens_.number();
    } else if (word == "set") {
      const auto c = calculation_of(tokens_.word());
      if (!c) tokens_.fail("a calculation (add, sub, eq, …) expected before");
      i.op = ScriptOp::set;
      i.calculation = *c;
      i.operand = value();
      set_second(i, value());
    } else if (word == "cas") {
      i.op = ScriptOp::cas;
      i.location = location();
      set_second(i, value());
      i.operand = value();
      i.mode = mode();
      i.fail_mode = mode();
      if (accept_await(i)) i.await = Await::equal;
    } else {
      if (rmw_of(word)) return parse_rmw(word, i);
      i.op = ScriptOp::load;
      i.location = location(word);
      i.mode = mode();
      parse_until(i);
    }
  }

  void parse_rmw(std::string_view word, Instruction& i) {
    i.op = ScriptOp::rmw;
    i.rmw = rmw_of(word).value();
    i.location = location();
    i.operand = value();
    i.mode = mode();
    parse_until(i);
  }

  static void set_second(Instruction& i, const ScriptValue& v) {
    i.second_reg = v.reg;
    i.constant = v.constant;
  }

  bool accept_await(Instruction& i) {
    i.assumed = tokens_.accept("assuming");
    return i.assumed || tokens_.accept("until");
  }

  void parse_until(Instruction& i) {
    if (!accept_await(i)) return;
    const bool equal = tokens_.accept("==");
    if (!equal) tokens_.expect("!=");
    i.await = equal ? Await::equal : Await::not_equal;
    set_second(i, value());
  }

  uint8_t reg() {
    const auto r = register_of(tokens_.word());
    if (!r) tokens_.fail("a register expected before");
    return *r;
  }

  ScriptValue value() {
    ScriptValue v;
    if (tokens_.is_word()) {
      v.reg = static_cast<int8_t>(reg());
      if (tokens_.accept("+")) v.constant = tokens_.number();
    } else {
      v.constant = tokens_.number();
    }
    return v;
  }

  Mode mode() {
    const std::string_view word = tokens_.word();
    for (int m = 0; m <= static_cast<int>(Mode::sc); ++m) {
      if (name(Mode(m)) == word) return Mode(m);
    }
    tokens_.fail("a mode (na, rlx, acq, rel, acq_rel, sc) expected before");
  }

  uint8_t location() { return location(tokens_.word()); }

  uint8_t location(std::string_view word) {
    const auto at = std::find_if(script_.locations.begin(), script_.locations.end(),
                                 [&](const ScriptLocation& l) { return l.name == word; });
    if (at == script_.locations.end()) {
      script_.locations.push_back({std::string(word), 0, false});
      return static_cast<uint8_t>(script_.locations.size() - 1);
    }
    return static_cast<uint8_t>(at - script_.locations.begin());
  }

  uint8_t mutex() {
    const uint8_t l = location();
    script_.locations[l].mutex = true;
    return l;
  }

  Tokens tokens_;
  Script script_;
};

std::string print(const ScriptValue& v) {
  if (v.reg < 0) return std::to_string(v.constant);
  return "r" + std::to_string(v.reg) + (v.constant != 0 ? "+" + std::to_string(v.constant) : "");
}

std::string condition(bool equal, const ScriptValue& v) { return (equal ? "== " : "!= ") + print(v); }

}  // namespace

Script parse_script(std::string_view text) { return Parser(text).parse(); }

std::string print_instruction(const Script& s, const Instruction& i) {
  const std::string location = uses_location(i.op) ? s.locations[i.location].name : "";
  const std::string result = i.unused ? "" : "r" + std::to_string(i.reg) + " = ";
  const std::string test = "r" + std::to_string(i.reg) + " " + condition(i.equal, {-1, i.constant});
  const std::string mode(name(i.mode));
  const std::string until = i.await == Await::none ? "" : i.assumed ? " assuming" : " until";
  const std::string until_value = until.empty() ? "" : until + " " + condition(i.await == Await::equal, i.second());
  switch (i.op) {
    case ScriptOp::load: return result + location + " " + mode + until_value;
    case ScriptOp::store: return location + " = " + print(i.operand) + " " + mode;
    case ScriptOp::rmw:
      return result + std::string(name(i.rmw)) + " " + location + " " + print(i.operand) + " " + mode + until_value;
    case ScriptOp::cas:
      return result + "cas " + location + " " + print(i.second()) + " " + print(i.operand) + " " + mode + " " +
             std::string(name(i.fail_mode)) + until;
    case ScriptOp::mark:
    case ScriptOp::help:
      return (i.op == ScriptOp::mark ? "mark " : "help ") + location + " " + print(i.second()) + " " +
             print(i.operand) + " " + mode + " " + std::string(name(i.fail_mode));
    case ScriptOp::fence: return "fence " + mode;
    case ScriptOp::lock: return "lock " + location;
    case ScriptOp::trylock: return result + "trylock " + location;
    case ScriptOp::unlock: return "unlock " + location;
    case ScriptOp::create: return "create " + std::to_string(i.thread);
    case ScriptOp::join: return "join " + std::to_string(i.thread);
    case ScriptOp::choose: return result + "choose " + std::to_string(i.constant);
    case ScriptOp::arrive:
      return result + (i.assumed ? "drop " : "arrive ") + location + " " + std::to_string(i.constant);
    case ScriptOp::leave: return "leave " + location + " " + print(i.operand);
    case ScriptOp::look: return result + "look " + location;
    case ScriptOp::set:
      return result + "set " + std::string(name(i.calculation)) + " " + print(i.operand) + " " + print(i.second());
    case ScriptOp::skip: return "if " + test + " skip " + std::to_string(i.length);
    case ScriptOp::assume: return "assume " + test;
    case ScriptOp::check: return "assert " + test;
  }
  __builtin_unreachable();
}

std::string print_script(const Script& s) {
  std::string text;
  for (const ScriptLocation& l : s.locations) {
    if (l.places != 0) text += (text.empty() ? "{" : " ") + l.name + " places " + std::to_string(l.places);
    if (l.initial != 0) text += (text.empty() ? "{" : " ") + l.name + "=" + std::to_string(l.initial);
  }
  if (!text.empty()) text += "}\n";
  for (std::size_t t = 0; t < s.threads.size(); ++t) {
    text += t == 0 ? "main: " : "|| ";
    for (std::size_t pc = 0; pc < s.threads[t].size(); ++pc) {
      text += (pc == 0 ? "" : "; ") + print_instruction(s, s.threads[t][pc]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace heddle
