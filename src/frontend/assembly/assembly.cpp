#include "frontend/assembly/assembly.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <set>

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace assembly {
namespace {

// "%eax" -> "ax" with 32 bits; "w3" -> "x3" with 32 bits. Empty if it is no register.
std::string register_name(StringRef text, bool arm, unsigned& width) {
  if (arm) {
    if (text == "wzr" || text == "xzr") {
      width = text[0] == 'w' ? 32 : 64;
      return "zr";
    }
    unsigned number = 0;
    if (text.size() < 2 || (text[0] != 'w' && text[0] != 'x') || text.drop_front().getAsInteger(10, number) ||
        number > 30)
      return "";
    width = text[0] == 'w' ? 32 : 64;
    return "x" + std::to_string(number);
  }
  if (!text.consume_front("%")) return "";
  while (text.consume_front("%")) {
  }
  for (const char* family : {"ax", "bx", "cx", "dx"}) {
    const StringRef f = family;
    width = text == f ? 16 : 0;
    if (text == ("r" + f).str()) width = 64;
    if (text == ("e" + f).str()) width = 32;
    if (text == (f.take_front() + "l").str()) width = 8;
    if (width != 0) return family;
  }
  return "";
}

// $0, ${0:w}
bool statement_operand(StringRef text, bool arm, Operand& o) {
  if (!text.consume_front("$")) return false;
  std::string modifier;
  if (text.consume_front("{")) {
    if (!text.consume_back("}")) return false;
    const auto [number, rest] = text.split(':');
    text = number;
    modifier = rest.str();
  }
  unsigned number = 0;
  if (text.getAsInteger(10, number)) return false;
  o.kind = Operand::reg;
  o.name = "$" + std::to_string(number);
  if (arm) {
    o.width = modifier == "w" ? 32 : modifier.empty() || modifier == "x" ? 64 : 0;
    return modifier.empty() || modifier == "w" || modifier == "x";
  }
  o.width = modifier == "b" ? 8 : modifier == "w" ? 16 : modifier == "k" ? 32 : modifier == "q" ? 64 : 0;
  return modifier.empty() || modifier == "P" || o.width != 0;
}

Operand parse_operand(StringRef text, bool arm) {
  text = text.trim();
  Operand o;
  o.text = text.str();
  if (statement_operand(text, arm, o)) return o;
  StringRef inner = text;
  const bool memory =
      arm ? inner.consume_front("[") && inner.consume_back("]") : inner.consume_front("(") && inner.consume_back(")");
  if (StringRef offset = text;
      !arm && offset.consume_back("(%rsp)") && (offset.empty() || !offset.getAsInteger(0, o.value))) {
    o.kind = Operand::stack;
    return o;
  }
  if (memory) {
    o.kind = Operand::memory;
    Operand base;
    if (!statement_operand(inner.trim(), arm, base)) throw Unknown();
    o.name = base.name;
    return o;
  }
  StringRef number = text;
  const bool marked = arm ? number.consume_front("#") : number.consume_front("$$");
  if ((marked || arm) && !number.getAsInteger(0, o.value)) {
    o.kind = Operand::immediate;
    return o;
  }
  o.name = register_name(text, arm, o.width);
  if (!o.name.empty()) {
    o.kind = Operand::reg;
    return o;
  }
  o.kind = Operand::label;
  o.name = text.str();
  return o;
}

// Statements end with a line or a semicolon. A label ends with a colon and may stand before an instruction.
std::vector<Line> parse(StringRef text, bool arm) {
  std::vector<Line> lines;
  SmallVector<StringRef, 16> pieces;
  SplitString(text, pieces, "\n;");
  for (StringRef piece : pieces) {
    piece = piece.trim();
    while (!piece.empty() && isDigit(piece.front())) {
      const std::size_t colon = piece.find(':');
      if (colon == StringRef::npos) throw Unknown();
      lines.push_back({piece.take_front(colon + 1).str(), {}});
      piece = piece.drop_front(colon + 1).trim();
    }
    if (piece.empty()) continue;
    Line line;
    const std::size_t end = std::min(piece.find_first_of(" \t"), piece.size());
    line.mnemonic = piece.take_front(end).lower();
    SmallVector<StringRef, 4> operands;
    const StringRef rest = piece.drop_front(end).trim();
    if (line.mnemonic.starts_with("lock") || line.mnemonic.starts_with("rep")) {
      lines.push_back({line.mnemonic, {}});
      if (rest.empty()) continue;
      const std::size_t next = std::min(rest.find_first_of(" \t"), rest.size());
      line.mnemonic = rest.take_front(next).lower();
      rest.drop_front(next).trim().split(operands, ',', -1, false);
    } else {
      rest.split(operands, ',', -1, false);
    }
    for (const StringRef o : operands) line.operands.push_back(parse_operand(o, arm));
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

Statement::Statement(CallInst& call, bool arm) : call_(call), arm_(arm), b_(&call) {
  const auto* text = cast<InlineAsm>(call.getCalledOperand());
  if (text->getDialect() != InlineAsm::AD_ATT) throw Unknown();
  lines_ = parse(text->getAsmString(), arm);
  read_constraints();
}

void Statement::read_constraints() {
  const auto* text = cast<InlineAsm>(call_.getCalledOperand());
  unsigned argument = 0;
  int result = 0;
  Type* const type = call_.getType();
  for (const InlineAsm::ConstraintInfo& c : text->ParseConstraints()) {
    if (c.Type == InlineAsm::isClobber) continue;
    if (c.Type == InlineAsm::isLabel || c.Codes.empty()) throw Unknown();
    Place p;
    StringRef code = c.Codes[0];
    if (code.consume_front("{") && code.consume_back("}")) {
      p.fixed = code.str();
      unsigned width = 0;
      const std::string name =
          code.starts_with("@") ? "" : register_name(arm_ ? code.str() : ("%" + code).str(), arm_, width);
      if (!code.starts_with("@")) p.fixed = name;
      if (p.fixed.empty()) throw Unknown();
    }
    if (c.isIndirect) {
      p.pointer = call_.getArgOperand(argument);
      p.element = call_.getParamElementType(argument);
      ++argument;
    } else if (c.Type == InlineAsm::isOutput) {
      p.type = type->isStructTy() ? type->getStructElementType(static_cast<unsigned>(result)) : type;
      p.result = result++;
    } else {
      p.value = call_.getArgOperand(argument++);
      p.type = p.value->getType();
      unsigned tied = 0;
      if (!StringRef(c.Codes[0]).getAsInteger(10, tied)) {
        if (tied >= places_.size()) throw Unknown();
        p.same_as = static_cast<int>(tied);
      }
    }
    places_.push_back(p);
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& p = places_[i];
    if (!p.value) continue;
    Operand o{.kind = Operand::reg, .name = "$" + std::to_string(i)};
    if (lines_.empty()) {  // whatever it is, it comes out as it went in
      contents_[key(o)] = {p.value, UINT_MAX};
      continue;
    }
    const bool immediate = isa<ConstantInt>(p.value);
    if (!p.value->getType()->isIntOrPtrTy() && !p.value->getType()->isFloatingPointTy()) throw Unknown();
    const unsigned bits = static_cast<unsigned>(call_.getDataLayout().getTypeSizeInBits(p.type).getFixedValue());
    if (bits > 64) throw Unknown();
    contents_[key(o)] = {as_i64(p.value), immediate ? 64 : bits};
  }
}

int Statement::number_of(const std::string& name) const {
  unsigned number = 0;
  if (StringRef(name).drop_front().getAsInteger(10, number) || number >= places_.size()) throw Unknown();
  return static_cast<int>(number);
}

// What two names for the same register have in common.
std::string Statement::key(const Operand& o) const {
  if (!StringRef(o.name).starts_with("$")) return o.name;
  int n = number_of(o.name);
  if (places_[static_cast<std::size_t>(n)].same_as >= 0) n = places_[static_cast<std::size_t>(n)].same_as;
  const Place& p = places_[static_cast<std::size_t>(n)];
  return p.fixed.empty() ? "$" + std::to_string(n) : p.fixed;
}

bool Statement::has(const Operand& o) const { return o.kind == Operand::immediate || contents_.contains(key(o)); }

Value* Statement::get(const Operand& o) {
  if (o.kind == Operand::immediate) return b_.getInt64(static_cast<uint64_t>(o.value));
  if (o.kind != Operand::reg) throw Unknown();
  if (o.name == "zr") return b_.getInt64(0);
  const auto it = contents_.find(key(o));
  if (it == contents_.end()) throw Unknown();
  return it->second.value;
}

void Statement::set(const Operand& o, unsigned bits, Value* value) {
  if (o.kind != Operand::reg) throw Unknown();
  if (o.name == "zr") return;
  Contents& c = contents_[key(o)];
  const uint64_t mask = bits >= 64 ? ~0ull : (1ull << bits) - 1;
  if (bits < 64) value = b_.CreateAnd(value, mask);
  if (!arm_ && bits < 32) {
    if (c.value) value = b_.CreateOr(b_.CreateAnd(c.value, ~mask), value);
    c = {value, std::max(bits, c.known)};
  } else {
    c = {value, 64};
  }
}

unsigned Statement::width(const Operand& o) const {
  if (o.width != 0 || !StringRef(o.name).starts_with("$")) return o.width;
  const Place& p = places_[static_cast<std::size_t>(number_of(o.name))];
  Type* const type = p.pointer ? p.element : p.type;
  if (!type || !type->isSized()) return 0;
  const uint64_t bits = call_.getDataLayout().getTypeSizeInBits(type).getFixedValue();
  return bits <= 64 || p.pointer ? static_cast<unsigned>(bits) : 0;
}

Value* Statement::address(const Operand& o) {
  if (!StringRef(o.name).starts_with("$")) throw Unknown();
  const Place& p = places_[static_cast<std::size_t>(number_of(o.name))];
  if (o.kind == Operand::reg && p.pointer) return p.pointer;
  if (o.kind != Operand::memory || !p.value) throw Unknown();
  Value* const given = p.value;
  return given->getType()->isPointerTy() ? given : b_.CreateIntToPtr(as_i64(given), b_.getPtrTy());
}

std::vector<std::string> Statement::wanted_flags() const {
  std::vector<std::string> flags;
  for (const Place& p : places_)
    if (StringRef(p.fixed).starts_with("@cc")) flags.push_back(p.fixed.substr(3));
  return flags;
}

void Statement::set_flag(const std::string& name, Value* i1) {
  contents_["@cc" + name] = {b_.CreateZExt(i1, b_.getInt64Ty()), 64};
}

Value* Statement::as_i64(Value* v) {
  if (v->getType()->isPointerTy()) return b_.CreatePtrToInt(v, b_.getInt64Ty());
  if (v->getType()->isFloatingPointTy())
    v = b_.CreateBitCast(v,
                         b_.getIntNTy(static_cast<unsigned>(v->getType()->getPrimitiveSizeInBits().getFixedValue())));
  return b_.CreateZExtOrTrunc(v, b_.getInt64Ty());
}

Value* Statement::from_i64(Value* v, Type* type) {
  if (type->isPointerTy()) return b_.CreateIntToPtr(v, type);
  const auto bits = static_cast<unsigned>(call_.getDataLayout().getTypeSizeInBits(type).getFixedValue());
  if (bits > 64) throw Unknown();
  v = b_.CreateTrunc(v, b_.getIntNTy(bits));
  return type->isFloatingPointTy() ? b_.CreateBitCast(v, type) : v;
}

namespace {

Value* fit(IRBuilder<>& b, Value* v, unsigned bits) { return b.CreateZExtOrTrunc(v, b.getIntNTy(bits)); }
Value* widen_to_i64(IRBuilder<>& b, Value* v) {
  return v->getType()->getIntegerBitWidth() < 64 ? b.CreateZExt(v, b.getInt64Ty()) : v;
}
Align natural(unsigned bits) { return Align(bits / 8); }

}  // namespace

Value* Statement::load(Value* address, unsigned bits, AtomicOrdering order) {
  LoadInst* const load = b_.CreateAlignedLoad(b_.getIntNTy(bits), address, natural(bits));
  load->setAtomic(order);
  return widen_to_i64(b_, load);
}

void Statement::store(Value* address, unsigned bits, Value* value, AtomicOrdering order) {
  b_.CreateAlignedStore(fit(b_, value, bits), address, natural(bits))->setAtomic(order);
}

Value* Statement::rmw(AtomicRMWInst::BinOp op, Value* address, unsigned bits, Value* value, AtomicOrdering order) {
  return widen_to_i64(b_, b_.CreateAtomicRMW(op, address, fit(b_, value, bits), natural(bits), order));
}

Value* Statement::cas(Value* address, unsigned bits, Value* expected, Value* desired, AtomicOrdering order,
                      AtomicOrdering failure, Value*& success) {
  Value* const from = fit(b_, expected, bits);
  Value* const to = fit(b_, desired, bits);
  Value* const pair = b_.CreateAtomicCmpXchg(address, from, to, natural(bits), order, failure);
  success = b_.CreateExtractValue(pair, 1);
  return widen_to_i64(b_, b_.CreateExtractValue(pair, 0));
}

Value* Statement::cycles() {
  return b_.CreateCall(
      call_.getModule()->getOrInsertFunction("__heddle_cycles", FunctionType::get(b_.getInt64Ty(), false)));
}

void Statement::finish() {
  Type* const type = call_.getType();
  if (!type->isVoidTy()) {
    Value* result = PoisonValue::get(type);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Place& p = places_[i];
      if (p.result < 0) continue;
      const auto it = contents_.find(key({.kind = Operand::reg, .name = "$" + std::to_string(i)}));
      if (it == contents_.end()) throw Unknown();
      if (call_.getDataLayout().getTypeSizeInBits(p.type).getFixedValue() > it->second.known) throw Unknown();
      Value* const whole = it->second.value;
      if (lines_.empty() && whole->getType() != p.type) throw Unknown();
      Value* const v = lines_.empty() ? whole : from_i64(whole, p.type);
      result = type->isStructTy() ? b_.CreateInsertValue(result, v, static_cast<unsigned>(p.result)) : v;
    }
    call_.replaceAllUsesWith(result);
  }
  call_.eraseFromParent();
}

bool lower_barrier(Statement& s, const Line& line) {
  std::string word = line.mnemonic;
  for (const Operand& o : line.operands) word += " " + StringRef(o.text).lower();
  const auto is = [&](std::initializer_list<StringRef> words) { return is_contained(words, word); };
  if (is({"pause", "rep", "repz", "nop", "yield", "isb", "isb sy", "wfe", "sev", "sevl"}) ||
      StringRef(word).starts_with(".arch"))
    return true;
  if (is({"mfence", "dmb ish", "dmb sy", "dsb ish", "dsb sy"})) {
    s.fence(AtomicOrdering::SequentiallyConsistent);
  } else if (is({"lfence", "dmb ishld", "dmb ld", "dsb ishld", "dsb ld"})) {
    s.fence(AtomicOrdering::Acquire);
  } else if (is({"sfence", "dmb ishst", "dmb st", "dsb ishst", "dsb st"})) {
    s.fence(AtomicOrdering::Release);
  } else {
    return false;
  }
  return true;
}

}  // namespace assembly

namespace {

bool is_arm(const CallBase& call) { return !StringRef(call.getModule()->getTargetTriple()).starts_with("x86"); }

// Known on either processor: programs have both under #ifdef, and tests of heddle all.
bool only_barriers(const std::vector<assembly::Line>& lines) {
  return all_of(lines, [](const assembly::Line& line) {
    static const std::set<std::string, std::less<>> known = {"pause", "rep",  "repz",   "nop",    "yield",
                                                             "isb",   "wfe",  "sev",    "mfence", "dmb",
                                                             "dsb",   "sevl", "lfence", "sfence"};
    return known.contains(line.mnemonic);
  });
}

}  // namespace

bool lower_assembly(CallInst& call) {
  Instruction* const before = call.getPrevNode();
  const bool arm = is_arm(call);
  try {
    assembly::Statement s(call, arm);
    if (only_barriers(s.lines())) {
      for (const assembly::Line& line : s.lines())
        if (!assembly::lower_barrier(s, line)) throw assembly::Unknown();
    } else if (only_computes(call)) {
      throw assembly::Unknown();
    } else if (arm) {
      assembly::lower_arm(s);
    } else {
      assembly::lower_x86(s);
    }
    s.finish();
    return true;
  } catch (const assembly::Unknown&) {
    while (call.getPrevNode() != before) call.getPrevNode()->eraseFromParent();
    return false;
  }
}

namespace {

// What all names of a register of a processor have in common: "eax", "al" -> "a"; "w3" -> "3"; "r8d" -> "r8".
std::string register_family(StringRef name, bool arm) {
  if (arm) return name.starts_with("w") || name.starts_with("x") ? name.drop_front().str() : name.str();
  if (name.size() > 2 && name[0] == 'r' && isDigit(name[1])) return name.rtrim("bwd").str();
  if (name.size() == 3) name.consume_front("e") || name.consume_front("r");
  const bool has_halves = name.size() == 2 && StringRef("abcd").contains(name[0]) && StringRef("xlh").contains(name[1]);
  if (has_halves) return name.take_front().str();
  return name.size() == 3 && name.ends_with("l") ? name.drop_back().str() : name.str();
}

// Whether an operand of an instruction that only computes is a part of the statement: one of its operands, a constant,
// or a register that it says it uses. All else is something that heddle does not see: memory by its name, the stack,
// the thread's own segment.
bool is_declared(StringRef operand, const InlineAsm::ConstraintInfoVector& constraints, bool arm) {
  if (operand.starts_with("$$")) return !arm;  // a constant
  assembly::Operand o;
  if (operand.starts_with("$")) return assembly::statement_operand(operand, arm, o) && !operand.contains(":P");
  if (arm) {
    static const std::set<std::string, std::less<>> words = {"eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl",  "vs",
                                                             "vc", "hi", "ls", "ge", "lt", "gt", "le", "xzr", "wzr"};
    const StringRef first = operand.split(' ').first;
    if (operand.starts_with("#") || isDigit(operand.front()) || words.contains(operand) ||
        is_contained({"lsl", "lsr", "asr", "ror", "sxtw", "uxtw"}, first))
      return true;
  } else if (!operand.starts_with("%")) {
    return false;
  }
  const std::string family = register_family(operand.ltrim('%'), arm);
  return any_of(constraints, [&](const InlineAsm::ConstraintInfo& c) {
    return any_of(c.Codes, [&](StringRef code) {
      return code.consume_front("{") && code.consume_back("}") && register_family(code, arm) == family;
    });
  });
}

}  // namespace

bool only_computes(const CallBase& call) {
  const auto* text = cast<InlineAsm>(call.getCalledOperand());
  const auto constraints = text->ParseConstraints();
  for (const InlineAsm::ConstraintInfo& c : constraints) {
    if (c.isIndirect || (c.Type == InlineAsm::isClobber && is_contained(c.Codes, "{memory}"))) return false;
  }
  if (call.getType()->isVoidTy()) return false;
  SmallVector<StringRef, 8> lines;
  SplitString(text->getAsmString(), lines, "\n;");
  for (StringRef& line : lines) line = line.trim();
  erase_if(lines, [](StringRef line) { return line.empty(); });
  // A register that is exchanged before, and back afterwards: <cpuid.h> and rbx.
  if (lines.size() > 2 && lines.front() == lines.back() && lines.front().starts_with("xchg") &&
      !lines.front().contains('(')) {
    lines.pop_back();
    lines.erase(lines.begin());
  }
  for (const StringRef line : lines) {
    if (line.find_first_of("[(") != StringRef::npos) return false;
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    if (!assembly::computes(line.take_front(end).lower(), is_arm(call))) return false;
    SmallVector<StringRef, 4> operands;
    line.drop_front(end).split(operands, ',', -1, false);
    for (const StringRef o : operands) {
      if (!o.trim().empty() && !is_declared(o.trim(), constraints, is_arm(call))) return false;
    }
  }
  return true;
}

}  // namespace heddle::frontend
