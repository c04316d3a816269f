#include "frontend/loops/conditions.hpp"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include "core/assert.hpp"
#include "frontend/loops/condition_function.hpp"
#include "frontend/loops/effects.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

bool is_recheck(const Instruction& read, const WaitCondition& condition) {
  if (condition.await != Await::equal) return false;
  const auto* look = dyn_cast<LoadInst>(same_bits(condition.expected));
  return look && look->isAtomic() && is_same_place(*look, read);
}

}  // namespace

struct ConditionMaker::Simplifier {
  Simplifier() {
    PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    passes.addPass(PromotePass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(InstCombinePass());
    passes.addPass(JumpThreadingPass());  // where clang decides at the end of a block how it was left
    passes.addPass(SimplifyCFGPass());
    passes.addPass(InstCombinePass());
  }

  void run(Function& f) {
    passes.run(f, functions);
    functions.clear();
  }

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  FunctionPassManager passes;
};

ConditionMaker::ConditionMaker(Runtime& runtime, const OfFunction& only_pauses, const OfFunction& assumes,
                               Program::Impl& program, bool watches)
    : runtime_(runtime), only_pauses_(only_pauses), assumes_(assumes), program_(program), watches_(watches) {}
ConditionMaker::~ConditionMaker() = default;

// Of a function that does no more than compare the whole value.
WaitCondition ConditionMaker::compare(const Function& f, ArrayRef<Value*> known) const {
  const auto* end = f.size() == 1 ? dyn_cast<ReturnInst>(f.front().getTerminator()) : nullptr;
  if (!end) return {.await = Await::holds};
  const Value* result = end->getReturnValue();
  if (isa<Constant>(result)) return {};  // it always goes on, or never
  const auto* c = dyn_cast<ICmpInst>(result);
  if (!c || !c->isEquality()) return {.await = Await::holds};
  const Value* v = f.getArg(0);
  const Value* const sides[] = {same_bits(c->getOperand(0)), same_bits(c->getOperand(1))};
  const Value* other = sides[0] == v ? sides[1] : sides[1] == v ? sides[0] : nullptr;
  const Await await = c->getPredicate() == CmpInst::ICMP_EQ ? Await::equal : Await::not_equal;
  if (const auto* number = dyn_cast_or_null<Constant>(other))
    return {.await = await, .expected = const_cast<Constant*>(number)};
  if (const auto* argument = dyn_cast_or_null<Argument>(other); argument && argument != v)
    return {.await = await, .expected = known[argument->getArgNo() - 1]};
  return {.await = Await::holds};
}

// With the arguments that the machine gives it: bool f(uint64_t read, const uint64_t* known).
uint32_t ConditionMaker::keep(Function& f) {
  LLVMContext& context = f.getContext();
  auto* type = FunctionType::get(Type::getInt1Ty(context), {runtime_.i64, runtime_.ptr}, false);
  const std::string name = "__heddle_condition_" + std::to_string(program_.conditions.size());
  // Nothing calls it until it is loaded.
  auto* entry = Function::Create(type, GlobalValue::ExternalLinkage, name, f.getParent());
  entry->setDSOLocal(true);
  entry->addRetAttr(Attribute::ZExt);
  for (Function* each : {entry, &f}) {
    each->addFnAttr(kCondition);
    each->addFnAttr(Attribute::NoUnwind);
  }
  f.addFnAttr(Attribute::AlwaysInline);
  IRBuilder<> b(BasicBlock::Create(context, "", entry));
  const auto from_bits = [&](Value* bits, Type* wanted) -> Value* {
    if (wanted->isPointerTy()) return b.CreateIntToPtr(bits, wanted);
    Value* v = b.CreateTrunc(bits, b.getIntNTy(static_cast<unsigned>(wanted->getPrimitiveSizeInBits())));
    return b.CreateBitCast(v, wanted);
  };
  SmallVector<Value*> arguments{from_bits(entry->getArg(0), f.getArg(0)->getType())};
  uint32_t known = 0;
  for (unsigned n = 1; n < f.arg_size(); ++n) {
    Type* wanted = f.getArg(n)->getType();
    if (f.getArg(n)->use_empty()) {
      arguments.push_back(Constant::getNullValue(wanted));
      continue;
    }
    Value* place = b.CreateConstInBoundsGEP1_64(runtime_.i64, entry->getArg(1), known++);
    arguments.push_back(from_bits(b.CreateLoad(runtime_.i64, place), wanted));
  }
  b.CreateRet(b.CreateCall(&f, arguments));
  program_.conditions.push_back({name, known});
  return kComparisons + static_cast<uint32_t>(program_.conditions.size() - 1);
}

Built ConditionMaker::build(Instruction& read, const ::heddle::frontend::Way& way, const DominatorTree& dominators,
                            Tells tells) {
  return build_condition(read, way, dominators, only_pauses_, assumes_, tells);
}

void ConditionMaker::simplify(Function& f) {
  if (!simplifier_) simplifier_ = std::make_unique<Simplifier>();
  simplifier_->run(f);
}

WaitCondition ConditionMaker::make(Instruction& read, const ::heddle::frontend::Way& way,
                                   const DominatorTree& dominators) {
  const Built built = build(read, way, dominators, Tells::whether);
  Function* f = built.function;
  if (!f) return {};
  if (built.undoes && !(watches_ && may_wait_in_looks(built, way, dominators))) {
    f->eraseFromParent();
    return {};
  }
  simplify(*f);
  WaitCondition condition = compare(*f, built.known);
  const auto* cas = dyn_cast<AtomicCmpXchgInst>(&read);
  if (cas && condition.await == Await::not_equal) condition.await = Await::holds;
  if (cas && condition.await == Await::equal && same_bits(condition.expected) != same_bits(cas->getCompareOperand()))
    condition.await = Await::holds;
  if (condition.await == Await::holds) {
    condition.number = keep(*f);
    for (unsigned n = 1; n < f->arg_size(); ++n) {
      if (!f->getArg(n)->use_empty()) condition.known.push_back(built.known[n - 1]);
    }
  } else {
    f->eraseFromParent();
  }
  condition.stores.assign(built.stores.begin(), built.stores.end());
  condition.rechecks = is_recheck(read, condition);
  if (condition.await == Await::none || !watches_) return condition;
  condition.undoes = built.undoes;
  condition.looks = !built.looks.empty();
  undoes_ |= built.undoes;
  condition.only_waits = only_waits(read, way, dominators);
  return condition;
}

// Whether the value decides nothing but whether the thread waits: it goes on from one place, whatever it is.
bool ConditionMaker::only_waits(Instruction& read, const ::heddle::frontend::Way& way,
                                const DominatorTree& dominators) {
  const Built built = build(read, way, dominators, Tells::where);
  if (!built.function) return false;
  simplify(*built.function);
  SmallDenseSet<const Value*> places;
  for (const User* call : built.leave->users()) places.insert(cast<CallInst>(call)->getArgOperand(0));
  const bool is_one = places.size() == 1 && isa<Constant>(*places.begin());
  built.function->eraseFromParent();
  built.leave->eraseFromParent();
  return is_one && !built.is_used;
}

// Whether a thread that has taken back what it added, and waits in a look, may as well wait where it added
// (undone.hpp).
bool ConditionMaker::may_wait_in_looks(const Built& whether, const ::heddle::frontend::Way& way,
                                       const DominatorTree& dominators) {
  return all_of(whether.looks, [&](LoadInst* look) {
    if (!way.cut->state.empty()) return false;
    for (const Instruction* i = &look->getParent()->front(); i != look; i = i->getNextNode()) {
      if (effect_of(*i, only_pauses_) > Effect::orders) return false;
    }
    const Built how = build(*look, {.loop = way.loop, .cut = way.cut}, dominators, Tells::how);
    return how.function && is_proven(whether, how);
  });
}

// Proves of each value that the look is left for nothing but the cut, and is left if the read goes on.
bool ConditionMaker::is_proven(const Built& whether, const Built& how) {
  SmallVector<Value*> known(whether.known.begin(), whether.known.end());
  for (Value* v : how.known) {
    if (!is_contained(known, v)) known.push_back(v);
  }
  LLVMContext& context = how.function->getContext();
  SmallVector<Type*> types{how.function->getArg(0)->getType()};
  for (const Value* v : known) types.push_back(v->getType());
  Function* f = Function::Create(FunctionType::get(Type::getInt1Ty(context), types, false),
                                 GlobalValue::InternalLinkage, "__heddle_proof", how.function->getParent());
  IRBuilder<> b(BasicBlock::Create(context, "", f));
  const auto call = [&](const Built& built) {
    SmallVector<Value*> arguments{f->getArg(0)};
    for (Value* v : built.known)
      arguments.push_back(f->getArg(static_cast<unsigned>(find(known, v) - known.begin()) + 1));
    return b.CreateCall(built.function, arguments);
  };
  CallInst* const goes_on = call(whether);
  CallInst* const left = call(how);
  Value* const stays = b.CreateAnd(goes_on, b.CreateICmpEQ(left, b.getInt8(kStays)));
  b.CreateRet(b.CreateOr(stays, b.CreateICmpEQ(left, b.getInt8(kGoesOn))));
  InlineFunctionInfo info;
  const bool inlined = InlineFunction(*goes_on, info).isSuccess() && InlineFunction(*left, info).isSuccess();
  if (inlined) simplify(*f);
  const auto* end = f->size() == 1 ? dyn_cast<ReturnInst>(f->front().getTerminator()) : nullptr;
  const auto* result = end ? dyn_cast<ConstantInt>(end->getReturnValue()) : nullptr;
  const bool proven = inlined && result && result->isZero();
  f->eraseFromParent();
  how.function->eraseFromParent();
  return proven;
}

}  // namespace heddle::frontend
