#include "script/script_c.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "script/twins.hpp"

namespace heddle {
namespace {

std::string order(Mode m) {
  switch (m) {
    case Mode::na:
    case Mode::rlx: return "memory_order_relaxed";
    case Mode::acq: return "memory_order_acquire";
    case Mode::rel: return "memory_order_release";
    case Mode::acqrel: return "memory_order_acq_rel";
    case Mode::sc: return "memory_order_seq_cst";
  }
  __builtin_unreachable();
}

std::string function_of(RmwOp op) {
  switch (op) {
    case RmwOp::xchg: return "atomic_exchange_explicit";
    case RmwOp::add: return "atomic_fetch_add_explicit";
    case RmwOp::sub: return "atomic_fetch_sub_explicit";
    case RmwOp::band: return "atomic_fetch_and_explicit";
    case RmwOp::bor: return "atomic_fetch_or_explicit";
    case RmwOp::bxor: return "atomic_fetch_xor_explicit";
    default: throw UserError("C has no atomic " + std::string(name(op)));
  }
}

std::string number(uint64_t n) { return std::to_string(n) + "u"; }
std::string reg(unsigned r) { return "r" + std::to_string(r); }
std::string value(const ScriptValue& v) {
  if (v.reg < 0) return number(v.constant);
  return reg(static_cast<unsigned>(v.reg)) + (v.constant != 0 ? " + " + number(v.constant) : "");
}
std::string test(const Instruction& i) { return reg(i.reg) + (i.equal ? " == " : " != ") + number(i.constant); }
std::string handle(unsigned thread) { return "t" + std::to_string(thread); }
std::string function(std::size_t thread) { return "thread" + std::to_string(thread); }

// The result may take the place of what it is compared with.
std::string with_await(const Instruction& i, const std::string& access) {
  if (i.await == Await::none) return access;
  const bool computed = i.second().reg >= 0;
  const std::string condition = reg(i.reg) + (i.await == Await::equal ? " == " : " != ");
  const std::string wait = " heddle_assume(" + condition + (computed ? "wanted" : value(i.second())) + ");";
  return computed ? "{ const uint64_t wanted = " + value(i.second()) + "; " + access + wait + " }" : access + wait;
}

// A location of a script is atomic; a plain access to it goes around the type.
std::string plain(const std::string& location) { return "*(uint64_t *)&" + location; }

std::string access(const Instruction& i, const std::string& x) {
  const std::string r = reg(i.reg);
  switch (i.op) {
    case ScriptOp::load:
      if (i.mode == Mode::na) return r + " = " + plain(x) + ";";
      return r + " = atomic_load_explicit(&" + x + ", " + order(i.mode) + ");";
    case ScriptOp::store:
      if (i.mode == Mode::na) return plain(x) + " = " + value(i.operand) + ";";
      return "atomic_store_explicit(&" + x + ", " + value(i.operand) + ", " + order(i.mode) + ");";
    case ScriptOp::rmw:
      if (i.unused && i.await != Await::none) throw UserError("an rmw that waits and has no result is not rendered");
      return (i.unused ? "" : r + " = ") + function_of(i.rmw) + "(&" + x + ", " + value(i.operand) + ", " +
             order(i.mode) + ");";
    default:  // the operand may use the register that receives the result
      return "{ uint64_t old = " + value(i.second()) + "; atomic_compare_exchange_strong_explicit(&" + x + ", &old, " +
             value(i.operand) + ", " + order(i.mode) + ", " + order(i.fail_mode) + "); " + r + " = old; }";
  }
}

std::string operator_of(Calculation c) {
  constexpr const char* operators[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<="};
  return operators[static_cast<int>(c)];
}

// The same as `calculate`, without what C leaves undefined.
std::string calculation(const Instruction& i) {
  const bool is_signed = i.calculation == Calculation::lt || i.calculation == Calculation::le ||
                         i.calculation == Calculation::shr || i.calculation == Calculation::div ||
                         i.calculation == Calculation::mod;
  const std::string type = is_signed ? "(int64_t)" : "";
  const std::string a = "(uint64_t)(" + value(i.operand) + ")";
  const std::string b = "(uint64_t)(" + value(i.second()) + ")";
  const std::string plain = "(uint64_t)(" + type + a + " " + operator_of(i.calculation) + " " + type + b + ")";
  switch (i.calculation) {
    case Calculation::shl:
    case Calculation::shr: return "(uint64_t)(" + type + a + " " + operator_of(i.calculation) + " (" + b + " & 63))";
    case Calculation::div: return b + " + 1 > 1 ? " + plain + " : " + b + " == 0 ? 0 : -" + a;
    case Calculation::mod: return b + " + 1 > 1 ? " + plain + " : 0";
    default: return plain;
  }
}

std::string statement(const Script& s, const Instruction& i, const std::string& label) {
  const std::string x = uses_location(i.op) ? s.locations[i.location].name : "";
  switch (i.op) {
    case ScriptOp::load:
    case ScriptOp::store:
    case ScriptOp::rmw:
    case ScriptOp::cas: return with_await(i, access(i, x));
    case ScriptOp::mark:
    case ScriptOp::help: throw UserError("helping is not rendered");
    case ScriptOp::fence: return "atomic_thread_fence(" + order(i.mode) + ");";
    case ScriptOp::lock: return "pthread_mutex_lock(&" + x + ");";
    case ScriptOp::trylock: return reg(i.reg) + " = pthread_mutex_trylock(&" + x + ") != 0;";
    case ScriptOp::unlock: return "pthread_mutex_unlock(&" + x + ");";
    case ScriptOp::create: break;  // Renderer::create
    case ScriptOp::join: return "pthread_join(" + handle(i.thread) + ", 0);";
    case ScriptOp::choose: return reg(i.reg) + " = (uint64_t)heddle_choose(" + std::to_string(i.constant) + ");";
    case ScriptOp::arrive:
    case ScriptOp::leave:
    case ScriptOp::look: throw UserError("meetings are not rendered");
    case ScriptOp::set: return reg(i.reg) + " = " + calculation(i) + ";";
    case ScriptOp::skip: return "if (" + test(i) + ") goto " + label + ";";
    case ScriptOp::assume: return "heddle_assume(" + test(i) + ");";
    case ScriptOp::check: return "heddle_assert(" + test(i) + ");";
  }
  __builtin_unreachable();
}

class Renderer {
 public:
  Renderer(const Script& s, RenderTwins render_twins)
      : script_(s), render_twins_(render_twins), twins_(s.threads.size(), kNoThread) {
    if (render_twins != RenderTwins::hidden) twins_ = script_twins(s);
  }

  ScriptSource render() {
    source_.lines.resize(script_.threads.size());
    line("#include <pthread.h>");
    line("#include <stdatomic.h>");
    line("#include <stdint.h>");
    line("#include <heddle.h>");
    line("");
    for (const ScriptLocation& l : script_.locations) {
      if (l.mutex) {
        if (l.initial != 0) throw UserError("C cannot start with a locked mutex");
        line("pthread_mutex_t " + l.name + " = PTHREAD_MUTEX_INITIALIZER;");
      } else {
        line("_Atomic uint64_t " + l.name + " = " + number(l.initial) + ";");
      }
    }
    for (std::size_t t = script_.threads.size(); t-- > 0;) {
      if (twins_[t] == kNoThread) thread(t);
    }
    return std::move(source_);
  }

 private:
  void line(const std::string& text) {
    source_.text += text + "\n";
    ++line_;
  }

  void thread(std::size_t t) {
    const std::vector<Instruction>& code = script_.threads[t];
    line("");
    if (t == 0) {
      line("int main(void) {");
    } else {
      line("static void *" + function(t) + "(void *unused) {");
      line("  (void)unused;");
    }
    declare(code);
    std::vector<bool> target(code.size() + 1);
    for (std::size_t pc = 0; pc < code.size(); ++pc) {
      if (target[pc]) line(" l" + std::to_string(pc) + ":;");
      const std::size_t to = pc + 1 + code[pc].length;
      if (code[pc].op == ScriptOp::skip) target[to] = true;
      const bool creates = code[pc].op == ScriptOp::create;
      line("  " + (creates ? create(code[pc].thread) : statement(script_, code[pc], "l" + std::to_string(to))));
      source_.lines[t].push_back(line_);
    }
    if (target[code.size()]) line(" l" + std::to_string(code.size()) + ":;");
    line("  return 0;");
    line("}");
  }

  std::string create(std::size_t child) const {
    std::size_t first = child;
    while (twins_[first] != kNoThread) first = index(twins_[first]);
    const std::string h = handle(static_cast<unsigned>(child));
    if (first == child || render_twins_ == RenderTwins::same_function) {
      return "pthread_create(&" + h + ", 0, " + function(first) + ", 0);";
    }
    const std::string previous = handle(static_cast<unsigned>(index(twins_[child])));
    return h + " = heddle_spawn_symmetric(" + function(first) + ", 0, " + previous + ");";
  }

  void declare(const std::vector<Instruction>& code) {
    for (unsigned r = 0; r < kScriptRegisters; ++r) {
      const bool used = std::any_of(code.begin(), code.end(), [&](const Instruction& i) {
        return ((has_result(i.op) || is_test(i.op)) && i.reg == r) || i.operand.reg == static_cast<int>(r) ||
               i.second_reg == static_cast<int>(r);
      });
      if (used) line("  uint64_t " + reg(r) + " = 0; (void)" + reg(r) + ";");
    }
    for (const Instruction& i : code) {
      if (i.op == ScriptOp::create) line("  pthread_t " + handle(i.thread) + ";");
    }
  }

  const Script& script_;
  RenderTwins render_twins_;
  std::vector<ThreadId> twins_;
  ScriptSource source_;
  unsigned line_ = 0;
};

}  // namespace

ScriptSource render_c(const Script& s, RenderTwins twins) { return Renderer(s, twins).render(); }

}  // namespace heddle
