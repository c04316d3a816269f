// x86-64, in AT&T's syntax: read-modify-writes with a lock prefix, exchanges (which need none), moves from and to
// memory, and the flags that they leave.
//
// A locked instruction is a full barrier, so its access is sequentially consistent. The processor keeps loads in order,
// and stores: a load is an acquire, a store a release.
#include <llvm/ADT/StringExtras.h>

#include <set>

#include "frontend/assembly/assembly.hpp"

namespace heddle::frontend::assembly {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

constexpr AtomicOrdering kLocked = AtomicOrdering::SequentiallyConsistent;

class X86 {
 public:
  explicit X86(Statement& s) : s_(s), b_(s.b()) {}

  void run() {
    bool locked = false;
    for (const Line& line : s_.lines()) {
      if (line.mnemonic == "lock") {
        locked = true;
        continue;
      }
      if (!locked && lower_barrier(s_, line)) continue;
      if (locked && changes_nothing(line)) {
        s_.fence(kLocked);
        zero_ = carry_ = sign_ = nullptr;
      } else {
        step(line, locked);
      }
      locked = false;
    }
    for (const std::string& flag : s_.wanted_flags()) s_.set_flag(flag, condition(flag));
  }

 private:
  bool in_memory(const Operand& o) const {
    try {
      s_.address(o);
      return true;
    } catch (const Unknown&) {
      return false;
    }
  }

  // "lock; addl $0,(%rsp)": nobody else uses what is there, and it stays as it is. The lock is a barrier.
  bool changes_nothing(const Line& line) {
    const auto& o = line.operands;
    return o.size() == 2 && o[0].kind == Operand::immediate && o[0].value == 0 && o[1].kind == Operand::stack &&
           (is(line, "add") || is(line, "sub") || is(line, "or") || is(line, "xor"));
  }

  // "cmpxchgl" is cmpxchg of 32 bits. Without a suffix, the operands tell.
  bool is(const Line& line, StringRef base) {
    StringRef rest = line.mnemonic;
    if (!rest.consume_front(base)) return false;
    bits_ = rest == "b" ? 8 : rest == "w" ? 16 : rest == "l" ? 32 : rest == "q" ? 64 : 0;
    if (!rest.empty() && bits_ == 0) return false;
    for (const Operand& o : line.operands) {
      if (bits_ == 0 && o.kind == Operand::reg && !in_memory(o)) bits_ = s_.width(o);
    }
    for (const Operand& o : line.operands) {
      if (bits_ == 0 && o.kind == Operand::reg) bits_ = s_.width(o);
    }
    return true;
  }

  void step(const Line& line, bool locked) {
    const auto& o = line.operands;
    if (line.mnemonic == "rdtsc") return count();
    if (line.mnemonic == "cmpxchg16b") return wide_cas(line, locked, 64);
    if (line.mnemonic == "cmpxchg8b") return wide_cas(line, locked, 32);
    if (set_by_flag(line)) return;
    const bool known = is(line, "cmpxchg") || is(line, "xadd") || is(line, "xchg") || is(line, "inc") ||
                       is(line, "dec") || is(line, "not") || is(line, "add") || is(line, "sub") || is(line, "or") ||
                       is(line, "and") || is(line, "xor") || is(line, "bts") || is(line, "btr") || is(line, "btc") ||
                       is(line, "mov");
    if (!known || o.empty() || o.size() > 2 || (bits_ != 8 && bits_ != 16 && bits_ != 32 && bits_ != 64))
      throw Unknown();
    const unsigned bits = bits_;
    const StringRef name = line.mnemonic;
    if (name.starts_with("mov")) {
      if (locked) throw Unknown();
      return move(line, bits);
    }
    if (name.starts_with("xchg")) {
      if (o.size() != 2) throw Unknown();
      const bool second = in_memory(o[1]);
      return exchange(o[second ? 0 : 1], o[second ? 1 : 0], bits);
    }
    // Without a lock these are two accesses, and what comes between them would have to be looked at.
    if (!locked || !in_memory(o.back())) throw Unknown();
    if (name.starts_with("cmpxchg")) return cas(line, bits);
    if (name.starts_with("xadd")) return add(line, bits);
    if (name.starts_with("bt")) return change_bit(line, bits);
    change(line, bits);
  }

  void count() {
    Value* const cycles = s_.cycles();
    s_.set({.kind = Operand::reg, .name = "ax"}, 32, cycles);
    s_.set({.kind = Operand::reg, .name = "dx"}, 32, b_.CreateLShr(cycles, 32));
  }

  void move(const Line& line, unsigned bits) {
    const auto& o = line.operands;
    if (o.size() != 2) throw Unknown();
    if (in_memory(o[0])) return s_.set(o[1], bits, s_.load(s_.address(o[0]), bits, AtomicOrdering::Acquire));
    if (in_memory(o[1])) return s_.store(s_.address(o[1]), bits, s_.get(o[0]), AtomicOrdering::Release);
    s_.set(o[1], bits, s_.get(o[0]));
  }

  void exchange(const Operand& reg, const Operand& memory, unsigned bits) {
    s_.set(reg, bits, s_.rmw(AtomicRMWInst::Xchg, s_.address(memory), bits, s_.get(reg), kLocked));
  }

  void cas(const Line& line, unsigned bits) {
    if (line.operands.size() != 2) throw Unknown();
    const Operand accumulator{.kind = Operand::reg, .name = "ax", .width = bits};
    Value* success = nullptr;
    Value* const old = s_.cas(s_.address(line.operands[1]), bits, s_.get(accumulator), s_.get(line.operands[0]),
                              kLocked, kLocked, success);
    s_.set(accumulator, bits, old);
    zero_ = success;
    carry_ = nullptr;
    sign_ = nullptr;
  }

  // edx:eax is expected, ecx:ebx stored.
  void wide_cas(const Line& line, bool locked, unsigned half) {
    if (!locked || line.operands.size() != 1) throw Unknown();
    Type* const type = b_.getIntNTy(2 * half);
    const auto reg = [&](const char* name) { return Operand{.kind = Operand::reg, .name = name, .width = half}; };
    const auto joined = [&](const char* low, const char* high) {
      Value* const l = b_.CreateZExt(b_.CreateTrunc(s_.get(reg(low)), b_.getIntNTy(half)), type);
      Value* const h = b_.CreateZExt(b_.CreateTrunc(s_.get(reg(high)), b_.getIntNTy(half)), type);
      return b_.CreateOr(l, b_.CreateShl(h, half));
    };
    Value* success = nullptr;
    Value* const old = s_.cas(s_.address(line.operands[0]), 2 * half, joined("ax", "dx"), joined("bx", "cx"), kLocked,
                              kLocked, success);
    s_.set(reg("ax"), half, b_.CreateZExtOrTrunc(old, b_.getInt64Ty()));
    s_.set(reg("dx"), half, b_.CreateZExtOrTrunc(b_.CreateLShr(old, half), b_.getInt64Ty()));
    zero_ = success;
    carry_ = sign_ = nullptr;
  }

  void add(const Line& line, unsigned bits) {
    if (line.operands.size() != 2) throw Unknown();
    Value* const operand = s_.get(line.operands[0]);
    Value* const old = s_.rmw(AtomicRMWInst::Add, s_.address(line.operands[1]), bits, operand, kLocked);
    s_.set(line.operands[0], bits, old);
    flags(b_.CreateAdd(old, operand), bits);
  }

  // The result of the operation decides the flags.
  void change(const Line& line, unsigned bits) {
    const StringRef name = line.mnemonic;
    const auto& o = line.operands;
    const bool one = name.starts_with("inc") || name.starts_with("dec");
    const bool inverts = name.starts_with("not");
    if (o.size() != (one || inverts ? 1u : 2u)) throw Unknown();
    Value* const operand = one ? b_.getInt64(1) : inverts ? b_.getInt64(~0ull) : s_.get(o[0]);
    Value* const address = s_.address(o.back());
    const auto rmw = [&](AtomicRMWInst::BinOp op) { return s_.rmw(op, address, bits, operand, kLocked); };
    Value* result = nullptr;
    if (name.starts_with("inc") || name.starts_with("add"))
      result = b_.CreateAdd(rmw(AtomicRMWInst::Add), operand);
    else if (name.starts_with("dec") || name.starts_with("sub"))
      result = b_.CreateSub(rmw(AtomicRMWInst::Sub), operand);
    else if (name.starts_with("or"))
      result = b_.CreateOr(rmw(AtomicRMWInst::Or), operand);
    else if (name.starts_with("and"))
      result = b_.CreateAnd(rmw(AtomicRMWInst::And), operand);
    else
      result = b_.CreateXor(rmw(AtomicRMWInst::Xor), operand);
    if (!inverts) flags(result, bits);
  }

  // The number of the bit may lie beyond the operand if it is in a register.
  void change_bit(const Line& line, unsigned bits) {
    const StringRef name = line.mnemonic;
    if (bits == 8 || line.operands.size() != 2) throw Unknown();
    Value* const number = s_.get(line.operands[0]);
    Value* address = s_.address(line.operands[1]);
    Value* const signed_number = b_.CreateSExt(b_.CreateTrunc(number, b_.getIntNTy(bits)), b_.getInt64Ty());
    if (line.operands[0].kind != Operand::immediate) {
      Value* const words = b_.CreateAShr(signed_number, Log2_32(bits));
      address = b_.CreateGEP(b_.getIntNTy(bits), address, words);
    }
    Value* const bit = b_.CreateShl(b_.getInt64(1), b_.CreateAnd(number, bits - 1));
    Value* old = nullptr;
    if (name.starts_with("bts"))
      old = s_.rmw(AtomicRMWInst::Or, address, bits, bit, kLocked);
    else if (name.starts_with("btr"))
      old = s_.rmw(AtomicRMWInst::And, address, bits, b_.CreateNot(bit), kLocked);
    else
      old = s_.rmw(AtomicRMWInst::Xor, address, bits, bit, kLocked);
    carry_ = b_.CreateIsNotNull(b_.CreateAnd(old, bit));
    zero_ = sign_ = nullptr;
  }

  void flags(Value* result, unsigned bits) {
    Value* const narrow = b_.CreateTrunc(result, b_.getIntNTy(bits));
    zero_ = b_.CreateIsNull(narrow);
    sign_ = b_.CreateICmpSLT(narrow, ConstantInt::getNullValue(narrow->getType()));
    carry_ = nullptr;
  }

  // Flags that are not tracked are not known.
  Value* condition(StringRef name) {
    const bool negated = name.size() > 1 && name.consume_front("n");
    Value* const flag = name == "z" || name == "e"   ? zero_
                        : name == "c" || name == "b" ? carry_
                        : name == "s"                ? sign_
                                                     : nullptr;
    if (!flag) throw Unknown();
    return negated ? b_.CreateNot(flag) : flag;
  }

  bool set_by_flag(const Line& line) {
    StringRef name = line.mnemonic;
    if (!name.consume_front("set") || line.operands.size() != 1) return false;
    Value* const flag = b_.CreateZExt(condition(name), b_.getInt64Ty());
    const Operand& o = line.operands[0];
    if (in_memory(o)) {
      s_.store(s_.address(o), 8, flag, AtomicOrdering::Release);
    } else {
      s_.set(o, 8, flag);
    }
    return true;
  }

  Statement& s_;
  IRBuilder<>& b_;
  unsigned bits_ = 0;                                           // of the line that is looked at
  Value *zero_ = nullptr, *carry_ = nullptr, *sign_ = nullptr;  // flags; null: not known
};

}  // namespace

void lower_x86(Statement& s) { X86(s).run(); }

bool computes(const std::string& mnemonic, bool arm) {
  static const std::set<std::string, std::less<>> of_arm = {
      "clz", "cls", "rbit", "rev",  "rev16", "rev32", "add",   "adds", "adc",  "adcs", "sub",  "subs", "and", "orr",
      "eor", "bic", "mvn",  "neg",  "mul",   "umulh", "smulh", "madd", "msub", "mov",  "movz", "movk", "lsl", "lsr",
      "asr", "ror", "csel", "cset", "cmp",   "tst",   "ubfx",  "sbfx", "extr", "udiv", "sdiv", "sxtw", "uxtw"};
  static const std::set<std::string, std::less<>> of_x86 = {
      "bsr", "bsf",  "lzcnt", "tzcnt", "popcnt", "bswap", "rol", "ror", "shl",  "shr",
      "sar", "shld", "shrd",  "add",   "adc",    "sub",   "sbb", "and", "or",   "xor",
      "not", "neg",  "mul",   "imul",  "inc",    "dec",   "mov", "cmp", "test", "cpuid"};
  const auto& known = arm ? of_arm : of_x86;
  if (known.contains(mnemonic)) return true;
  // With the size as a suffix.
  return !arm && mnemonic.size() > 1 && StringRef("bwlq").contains(mnemonic.back()) &&
         known.contains(mnemonic.substr(0, mnemonic.size() - 1));
}

}  // namespace heddle::frontend::assembly
