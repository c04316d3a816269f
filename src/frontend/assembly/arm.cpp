// AArch64: loads and stores, the atomic instructions of LSE, and retry loops of exclusive accesses.
//
// A loop
//
//   1: ldxr  old, [p]         what it computes until the store is written down as expressions over `old`. They show
//      …                      whether it is an exchange, a fetch-and-op, or a compare-and-swap, which leaves the loop
//      stxr  s, new, [p]      if `old` is something else. Then the expressions are built for the old value that the
//      cbnz  s, 1b            operation has found.
//   2:
//
// Such a loop always succeeds in the end, and a store that fails for no reason shows nowhere but in the number of
// rounds. So it is one operation.
#include <llvm/ADT/StringExtras.h>

#include <memory>
#include <optional>

#include "frontend/assembly/assembly.hpp"

namespace heddle::frontend::assembly {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

struct ArmExpr;
using ArmTerm = std::shared_ptr<const ArmExpr>;

// The value of a register, over what a load-exclusive has found.
struct ArmExpr {
  enum Op { leaf, old_low, old_high, add, sub, band, bor, bxor, clear, low32, undefined } op = undefined;
  Value* value = nullptr;  // of a leaf
  ArmTerm a = {}, b = {};
};

ArmTerm term(ArmExpr::Op op, ArmTerm a = {}, ArmTerm b = {}) {
  return std::make_shared<ArmExpr>(ArmExpr{op, nullptr, std::move(a), std::move(b)});
}
ArmTerm leaf(Value* v) { return std::make_shared<ArmExpr>(ArmExpr{ArmExpr::leaf, v}); }

bool is_old(const ArmTerm& t) { return t->op == ArmExpr::old_low || t->op == ArmExpr::old_high; }
bool mentions_old(const ArmTerm& t) {
  return is_old(t) || t->op == ArmExpr::undefined || (t->a && mentions_old(t->a)) || (t->b && mentions_old(t->b));
}
// Of a store of 32 bits or less, the cuts to 32 bits make no difference.
ArmTerm stripped(ArmTerm t) {
  while (t->op == ArmExpr::low32) t = t->a;
  return t;
}

struct ArmOrder {
  bool acquire = false;
  bool release = false;

  AtomicOrdering both() const {
    if (acquire && release) return AtomicOrdering::SequentiallyConsistent;
    return acquire ? AtomicOrdering::Acquire : release ? AtomicOrdering::Release : AtomicOrdering::Monotonic;
  }
  AtomicOrdering failure() const {
    if (acquire && release) return AtomicOrdering::SequentiallyConsistent;
    return acquire ? AtomicOrdering::Acquire : AtomicOrdering::Monotonic;
  }
};

// An instruction's name with its suffixes taken off: "ldaddalh" is ldadd with both orders and 16 bits.
struct ArmName {
  ArmOrder order;
  unsigned bits = 0;  // 0: as wide as the register

  bool read(StringRef text, StringRef base, bool orders) {
    if (!text.consume_front(base)) return false;
    *this = {};
    if (orders && text.consume_front("a")) order.acquire = true;
    if (orders && text.consume_front("l")) order.release = true;
    if (text.consume_front("b"))
      bits = 8;
    else if (text.consume_front("h"))
      bits = 16;
    return text.empty();
  }
  unsigned width(unsigned of_register) const { return bits != 0 ? bits : of_register; }
};

class Arm {
 public:
  explicit Arm(Statement& s) : s_(s), lines_(s.lines()) {}

  void run() {
    while (at_ < lines_.size()) {
      if (lower_barrier(s_, lines_[at_]) || access(lines_[at_]) || arithmetic(lines_[at_])) {
        ++at_;
      } else if (is_label(lines_[at_])) {
        loop();
      } else {
        throw Unknown();
      }
    }
  }

 private:
  static bool is_label(const Line& line) { return line.mnemonic.ends_with(":"); }
  static unsigned width_of(const Operand& o) {
    if (o.kind != Operand::reg || (o.width != 32 && o.width != 64)) throw Unknown();
    return o.width;
  }
  void want(const Line& line, std::size_t operands) const {
    if (line.operands.size() != operands) throw Unknown();
  }

  bool access(const Line& line) {
    const StringRef name = line.mnemonic;
    const auto& o = line.operands;
    ArmName n;
    if (name == "mrs" && o.size() == 2 && StringRef(o[1].text).starts_with_insensitive("cntvct")) {
      s_.set(o[0], width_of(o[0]), s_.cycles());
    } else if (n.read(name, "ldr", false) || n.read(name, "ldar", false) || n.read(name, "ldapr", false)) {
      want(line, 2);
      const AtomicOrdering order = name.starts_with("ldar")    ? AtomicOrdering::SequentiallyConsistent
                                   : name.starts_with("ldapr") ? AtomicOrdering::Acquire
                                                               : AtomicOrdering::Monotonic;
      s_.set(o[0], width_of(o[0]), s_.load(s_.address(o[1]), n.width(width_of(o[0])), order));
    } else if (n.read(name, "str", false) || n.read(name, "stlr", false)) {
      want(line, 2);
      s_.store(s_.address(o[1]), n.width(width_of(o[0])), s_.get(o[0]),
               name.starts_with("stl") ? AtomicOrdering::SequentiallyConsistent : AtomicOrdering::Monotonic);
    } else if (n.read(name, "cas", true)) {
      want(line, 3);
      Value* success = nullptr;
      s_.set(o[0], width_of(o[0]),
             s_.cas(s_.address(o[2]), n.width(width_of(o[0])), s_.get(o[0]), s_.get(o[1]), n.order.both(),
                    n.order.failure(), success));
    } else if (n.read(name, "swp", true)) {
      want(line, 3);
      s_.set(o[1], width_of(o[1]),
             s_.rmw(AtomicRMWInst::Xchg, s_.address(o[2]), n.width(width_of(o[0])), s_.get(o[0]), n.order.both()));
    } else {
      return fetch(line);
    }
    return true;
  }

  // ldadd and its like, and stadd, which is the same without the old value.
  bool fetch(const Line& line) {
    static constexpr std::pair<const char*, AtomicRMWInst::BinOp> kinds[] = {
        {"add", AtomicRMWInst::Add},   {"clr", AtomicRMWInst::And},   {"set", AtomicRMWInst::Or},
        {"eor", AtomicRMWInst::Xor},   {"smax", AtomicRMWInst::Max},  {"smin", AtomicRMWInst::Min},
        {"umax", AtomicRMWInst::UMax}, {"umin", AtomicRMWInst::UMin},
    };
    for (const auto& [kind, op] : kinds) {
      ArmName n;
      const bool loads = n.read(line.mnemonic, std::string("ld") + kind, true);
      if (!loads && !n.read(line.mnemonic, std::string("st") + kind, true)) continue;
      const auto& o = line.operands;
      want(line, loads ? 3 : 2);
      Value* operand = s_.get(o[0]);
      if (StringRef(kind) == "clr") operand = s_.b().CreateNot(operand);
      Value* const old = s_.rmw(op, s_.address(o.back()), n.width(width_of(o[0])), operand, n.order.both());
      if (loads) s_.set(o[1], width_of(o[1]), old);
      return true;
    }
    return false;
  }

  // Outside of loops.
  bool arithmetic(const Line& line) {
    const std::optional<ArmTerm> result = computed(line, [&](const Operand& o) { return leaf(s_.get(o)); });
    if (!result) return false;
    s_.set(line.operands[0], width_of(line.operands[0]), build(*result, nullptr, nullptr));
    return true;
  }

  template <class Get>
  std::optional<ArmTerm> computed(const Line& line, const Get& get) {
    const auto& o = line.operands;
    const std::string& m = line.mnemonic;
    const auto constant = [&](uint64_t n) { return leaf(s_.b().getInt64(n)); };
    ArmTerm result;
    if (m == "mov" || m == "mvn" || m == "neg") {
      want(line, 2);
      const ArmTerm from = o[1].kind == Operand::immediate ? constant(static_cast<uint64_t>(o[1].value)) : get(o[1]);
      result = m == "mov"   ? from
               : m == "mvn" ? term(ArmExpr::bxor, from, constant(~0ull))
                            : term(ArmExpr::sub, constant(0), from);
    } else {
      static const std::map<std::string, ArmExpr::Op> binary = {{"add", ArmExpr::add},  {"sub", ArmExpr::sub},
                                                                {"and", ArmExpr::band}, {"orr", ArmExpr::bor},
                                                                {"eor", ArmExpr::bxor}, {"bic", ArmExpr::clear}};
      const auto op = binary.find(m);
      if (op == binary.end()) return std::nullopt;
      want(line, 3);
      const ArmTerm second = o[2].kind == Operand::immediate ? constant(static_cast<uint64_t>(o[2].value)) : get(o[2]);
      result = term(op->second, get(o[1]), second);
    }
    return width_of(o[0]) == 32 ? term(ArmExpr::low32, result) : result;
  }

  Value* build(const ArmTerm& t, Value* low, Value* high) {
    IRBuilder<>& b = s_.b();
    const auto part = [&](const ArmTerm& p) { return build(p, low, high); };
    switch (t->op) {
      case ArmExpr::leaf: return t->value;
      case ArmExpr::old_low: return low;
      case ArmExpr::old_high: return high;
      case ArmExpr::add: return b.CreateAdd(part(t->a), part(t->b));
      case ArmExpr::sub: return b.CreateSub(part(t->a), part(t->b));
      case ArmExpr::band: return b.CreateAnd(part(t->a), part(t->b));
      case ArmExpr::bor: return b.CreateOr(part(t->a), part(t->b));
      case ArmExpr::bxor: return b.CreateXor(part(t->a), part(t->b));
      case ArmExpr::clear: return b.CreateAnd(part(t->a), b.CreateNot(part(t->b)));
      case ArmExpr::low32: return b.CreateAnd(part(t->a), b.getInt64(0xffffffff));
      case ArmExpr::undefined: return b.getInt64(0);  // whether a store failed: see finish_loop
    }
    throw Unknown();
  }

  // Retry loops.

  using Registers = std::map<std::string, std::pair<Operand, ArmTerm>>;
  struct Loop {
    Operand address;
    unsigned bits = 0;
    bool pair = false;
    ArmOrder order;
    std::optional<ArmTerm> left_if;  // not zero
    std::string exit;                // where it goes then
    Registers at_exit;
    ArmTerm stored, stored_high;
    std::string status;  // of the store
  };

  ArmTerm read(const Operand& o) {
    const auto it = registers_.find(o.name);
    if (it != registers_.end()) return it->second.second;
    return leaf(s_.get(o));
  }
  void write(const Operand& o, ArmTerm t) { registers_[o.name] = {o, std::move(t)}; }

  void loop() {
    const std::string start = lines_[at_].mnemonic.substr(0, lines_[at_].mnemonic.size() - 1);
    ++at_;
    registers_.clear();
    Loop loop;
    begin_loop(loop);
    while (!store(loop)) body(loop);
    const Line& back = next();
    if (back.mnemonic != "cbnz" || back.operands.size() != 2 || back.operands[0].name != loop.status ||
        back.operands[1].name != start + "b")
      throw Unknown();
    finish_loop(loop);
  }

  const Line& next() {
    if (at_ == lines_.size()) throw Unknown();
    return lines_[at_++];
  }

  void begin_loop(Loop& loop) {
    const Line& line = next();
    ArmName n;
    const StringRef name = line.mnemonic;
    loop.pair = name == "ldxp" || name == "ldaxp";
    if (!loop.pair && !n.read(name, "ldxr", false) && !n.read(name, "ldaxr", false)) throw Unknown();
    want(line, loop.pair ? 3 : 2);
    loop.order.acquire = name.starts_with("lda");
    loop.address = line.operands.back();
    loop.bits = n.width(width_of(line.operands[0]));
    if (loop.pair && loop.bits != 64) throw Unknown();
    write(line.operands[0], term(ArmExpr::old_low));
    if (loop.pair) write(line.operands[1], term(ArmExpr::old_high));
  }

  // Between the load and the store.
  void body(Loop& loop) {
    const Line& line = next();
    const auto get = [&](const Operand& o) { return read(o); };
    if (line.mnemonic == "cmp") {
      want(line, 2);
      compared_ = term(ArmExpr::bxor, read(line.operands[0]),
                       line.operands[1].kind == Operand::immediate
                           ? leaf(s_.b().getInt64(static_cast<uint64_t>(line.operands[1].value)))
                           : read(line.operands[1]));
      if (width_of(line.operands[0]) == 32) compared_ = term(ArmExpr::low32, compared_);
    } else if (line.mnemonic == "b.ne" || line.mnemonic == "bne" || line.mnemonic == "cbnz") {
      if (loop.left_if || line.operands.empty()) throw Unknown();
      const bool flags = line.mnemonic != "cbnz";
      want(line, flags ? 1 : 2);
      if (flags && !compared_) throw Unknown();
      loop.left_if = flags ? compared_ : read(line.operands[0]);
      loop.exit = line.operands.back().name;
      loop.at_exit = registers_;
    } else if (const auto result = computed(line, get)) {
      write(line.operands[0], *result);
    } else {
      throw Unknown();
    }
  }

  bool store(Loop& loop) {
    if (at_ == lines_.size()) throw Unknown();
    const Line& line = lines_[at_];
    const StringRef name = line.mnemonic;
    ArmName n;
    const bool pair = name == "stxp" || name == "stlxp";
    if (!pair && !n.read(name, "stxr", false) && !n.read(name, "stlxr", false)) return false;
    want(line, pair ? 4 : 3);
    const auto& o = line.operands;
    if (pair != loop.pair || o.back().text != loop.address.text || n.width(width_of(o[1])) != loop.bits)
      throw Unknown();
    loop.order.release = name.starts_with("stl");
    loop.stored = read(o[1]);
    if (pair) loop.stored_high = read(o[2]);
    loop.status = o[0].name;
    write(o[0], leaf(s_.b().getInt64(0)));  // it has succeeded in the end
    ++at_;
    return true;
  }

  // x == X as (x ^ X) != 0, or two of them as one number.
  static bool equals_old(const ArmTerm& t, ArmExpr::Op which, unsigned bits, ArmTerm& wanted) {
    const auto seen = [&](const ArmTerm& part) { return bits <= 32 ? stripped(part) : part; };
    const ArmTerm x = seen(t);
    if (x->op != ArmExpr::bxor) return false;
    const ArmTerm a = seen(x->a);
    const ArmTerm b = seen(x->b);
    if (a->op == which && !mentions_old(b))
      wanted = b;
    else if (b->op == which && !mentions_old(a))
      wanted = a;
    else
      return false;
    return true;
  }

  // A comparison looks at 32 bits.
  static bool fits(Value* v, unsigned bits) {
    if (const auto* constant = dyn_cast<ConstantInt>(v)) return constant->getValue().isIntN(bits);
    const auto* wide = dyn_cast<ZExtInst>(v);
    return wide && wide->getSrcTy()->getIntegerBitWidth() <= bits;
  }

  void finish_loop(Loop& loop) {
    Value* const address = s_.address(loop.address);
    Value* low = nullptr;
    Value* high = nullptr;
    Value* success = nullptr;
    if (loop.pair) {
      exchange_pair(loop, address, low, high, success);
    } else if (loop.left_if) {
      ArmTerm expected;
      if (!equals_old(*loop.left_if, ArmExpr::old_low, loop.bits, expected) || mentions_old(loop.stored))
        throw Unknown();
      Value* const wanted = build(expected, nullptr, nullptr);
      if (loop.bits < 32 && !fits(wanted, loop.bits)) throw Unknown();
      low = s_.cas(address, loop.bits, wanted, build(loop.stored, nullptr, nullptr), loop.order.both(),
                   loop.order.failure(), success);
    } else {
      low = fetch(loop, address);
    }
    const Registers after = tail(loop);
    for (const auto& [name, one] : after) {
      Value* v = build(one.second, low, high);
      if (success) {
        const auto left = loop.at_exit.find(name);
        const ArmTerm other = left != loop.at_exit.end() ? left->second.second
                              : s_.has(one.first)        ? leaf(s_.get(one.first))
                                                         : term(ArmExpr::undefined);
        v = s_.b().CreateSelect(success, v, build(other, low, high));
      }
      s_.set(one.first, 64, v);
    }
    registers_.clear();
    compared_ = nullptr;
  }

  // What follows the loop up to where a failure goes.
  Registers tail(const Loop& loop) {
    if (!loop.left_if) return registers_;
    if (!StringRef(loop.exit).ends_with("f")) throw Unknown();
    const std::string label = loop.exit.substr(0, loop.exit.size() - 1) + ":";
    const auto get = [&](const Operand& o) { return read(o); };
    for (;;) {
      const Line& line = next();
      if (line.mnemonic == label) return registers_;
      const auto result = computed(line, get);
      if (!result) throw Unknown();
      write(line.operands[0], *result);
    }
  }

  Value* fetch(const Loop& loop, Value* address) {
    const ArmTerm stored = loop.bits <= 32 ? stripped(loop.stored) : loop.stored;
    const auto rmw = [&](AtomicRMWInst::BinOp op, Value* operand) {
      return s_.rmw(op, address, loop.bits, operand, loop.order.both());
    };
    if (!mentions_old(stored)) return rmw(AtomicRMWInst::Xchg, build(stored, nullptr, nullptr));
    if (!stored->a || !stored->b) throw Unknown();
    ArmTerm a = stripped(stored->a);
    ArmTerm b = stripped(stored->b);
    const bool swapped = b->op == ArmExpr::old_low && stored->op != ArmExpr::sub && stored->op != ArmExpr::clear;
    if (swapped) std::swap(a, b);
    if (a->op != ArmExpr::old_low || mentions_old(b)) throw Unknown();
    Value* const operand = build(b, nullptr, nullptr);
    switch (stored->op) {
      case ArmExpr::add: return rmw(AtomicRMWInst::Add, operand);
      case ArmExpr::sub: return rmw(AtomicRMWInst::Sub, operand);
      case ArmExpr::band: return rmw(AtomicRMWInst::And, operand);
      case ArmExpr::bor: return rmw(AtomicRMWInst::Or, operand);
      case ArmExpr::bxor: return rmw(AtomicRMWInst::Xor, operand);
      case ArmExpr::clear: return rmw(AtomicRMWInst::And, s_.b().CreateNot(operand));
      default: throw Unknown();
    }
  }

  void exchange_pair(const Loop& loop, Value* address, Value*& low, Value*& high, Value*& success) {
    IRBuilder<>& b = s_.b();
    Type* const wide = b.getInt128Ty();
    const auto joined = [&](const ArmTerm& l, const ArmTerm& h) {
      return b.CreateOr(b.CreateZExt(build(l, nullptr, nullptr), wide),
                        b.CreateShl(b.CreateZExt(build(h, nullptr, nullptr), wide), 64));
    };
    if (mentions_old(loop.stored) || mentions_old(loop.stored_high)) throw Unknown();
    Value* const desired = joined(loop.stored, loop.stored_high);
    Value* old = nullptr;
    if (!loop.left_if) {
      old = s_.rmw(AtomicRMWInst::Xchg, address, 128, desired, loop.order.both());
    } else {
      const ArmTerm test = *loop.left_if;
      ArmTerm first, second;
      if (test->op != ArmExpr::bor) throw Unknown();
      const bool found =
          (equals_old(test->a, ArmExpr::old_low, 64, first) && equals_old(test->b, ArmExpr::old_high, 64, second)) ||
          (equals_old(test->b, ArmExpr::old_low, 64, first) && equals_old(test->a, ArmExpr::old_high, 64, second));
      if (!found) throw Unknown();
      old = s_.cas(address, 128, joined(first, second), desired, loop.order.both(), loop.order.failure(), success);
    }
    low = b.CreateTrunc(old, b.getInt64Ty());
    high = b.CreateTrunc(b.CreateLShr(old, 64), b.getInt64Ty());
  }

  Statement& s_;
  const std::vector<Line>& lines_;
  std::size_t at_ = 0;
  Registers registers_;  // in a loop
  ArmTerm compared_;     // not zero if the last comparison found a difference
};

}  // namespace

void lower_arm(Statement& s) { Arm(s).run(); }

}  // namespace heddle::frontend::assembly
