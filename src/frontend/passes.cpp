#include "frontend/passes.hpp"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerGlobalDtors.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "frontend/runtime.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

// The managers and what they need to know. The library functions are switched off: to O2, malloc or printf is a
// function like any other, because to the machine each of them is something that happens.
struct Managers {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder builder;

  explicit Managers(TargetMachine& target) : builder(&target, tuning()) {
    TargetLibraryInfoImpl library(target.getTargetTriple());
    library.disableAllFunctions();
    functions.registerPass([&] { return TargetLibraryAnalysis(library); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }

  // Every loop has a counter in it: there is nothing to vectorise or to unroll.
  static PipelineTuningOptions tuning() {
    PipelineTuningOptions options;
    options.LoopVectorization = options.SLPVectorization = options.LoopUnrolling = options.LoopInterleaving = false;
    return options;
  }
};

// Folds decided branches and joins blocks. SimplifyCFG does more than is allowed here: it speculates loads and merges
// stores.
struct TidyPass : PassInfoMixin<TidyPass> {
  PreservedAnalyses run(Function& f, FunctionAnalysisManager&) {
    bool changed = false;
    for (BasicBlock& block : f) changed |= ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    changed |= EliminateUnreachableBlocks(f);
    for (BasicBlock& block : make_early_inc_range(f)) changed |= MergeBlockIntoPredecessor(&block);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

bool is_local(const Value* pointer) { return isa<AllocaInst>(getUnderlyingObject(pointer, 0)); }

// SROA would split a copy between a local variable and other memory and drop the parts of which it sees no use. A
// call in its place keeps the copy whole; the instrumentation makes it a copy again if both sides turn out private.
struct GuardCopiesPass : PassInfoMixin<GuardCopiesPass> {
  PreservedAnalyses run(Function& f, FunctionAnalysisManager&) {
    Runtime runtime(*f.getParent());
    bool changed = false;
    for (Instruction& i : make_early_inc_range(instructions(f))) {
      auto* copy = dyn_cast<MemTransferInst>(&i);
      if (!copy || is_local(copy->getRawDest()) == is_local(copy->getRawSource())) continue;
      IRBuilder<> b(copy);
      Value* length = b.CreateZExtOrTrunc(copy->getLength(), runtime.i64);
      if (isa<MemMoveInst>(copy)) {
        runtime.call<abi::Entry::memmove>(b, {copy->getRawDest(), copy->getRawSource(), length, runtime.site(kNoSite)});
      } else {
        runtime.call<abi::Entry::memcpy>(b, {copy->getRawDest(), copy->getRawSource(), length, runtime.site(kNoSite)});
      }
      copy->eraseFromParent();
      changed = true;
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// The opposite, as SROA learns where pointers point.
struct UnguardCopiesPass : PassInfoMixin<UnguardCopiesPass> {
  PreservedAnalyses run(Function& f, FunctionAnalysisManager&) {
    bool changed = false;
    for (Instruction& i : make_early_inc_range(instructions(f))) {
      auto* call = dyn_cast<CallInst>(&i);
      if (!call || !is_runtime(call->getCalledFunction())) continue;
      const Function& callee = *call->getCalledFunction();
      if (!is(callee, abi::Entry::memcpy) && !is(callee, abi::Entry::memmove)) continue;
      if (!is_local(call->getArgOperand(0)) || !is_local(call->getArgOperand(1))) continue;
      IRBuilder<> b(call);
      b.CreateMemMove(call->getArgOperand(0), MaybeAlign(), call->getArgOperand(1), MaybeAlign(),
                      call->getArgOperand(2));
      call->eraseFromParent();
      changed = true;
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// A variable that is read before it is written has become undef, of which an optimiser may make whatever lets an
// assertion hold. A fixed, unlikely value keeps the mistake visible and the program deterministic.
Constant* garbage(Type* type) {
  LLVMContext& context = type->getContext();
  if (type->isPointerTy()) return ConstantExpr::getIntToPtr(garbage(Type::getInt64Ty(context)), type);
  if (auto* integer = dyn_cast<IntegerType>(type)) {
    return ConstantInt::get(context, APInt::getSplat(integer->getBitWidth(), APInt(8, 0xaa)));
  }
  if (type->isFloatTy() || type->isDoubleTy()) {
    return ConstantExpr::getBitCast(garbage(IntegerType::get(context, type->getPrimitiveSizeInBits())), type);
  }
  return Constant::getNullValue(type);
}

// Before variables become registers: a phi of undef and a value is that value already.
struct FillLocalsPass : PassInfoMixin<FillLocalsPass> {
  PreservedAnalyses run(Function& f, FunctionAnalysisManager&) {
    bool changed = false;
    for (Instruction& i : make_early_inc_range(instructions(f))) {
      auto* local = dyn_cast<AllocaInst>(&i);
      if (!local || !isAllocaPromotable(local)) continue;
      new StoreInst(garbage(local->getAllocatedType()), local, std::next(local->getIterator()));
      changed = true;
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// The same for the parts of structures that SROA has made registers of.
struct SettleUndefPass : PassInfoMixin<SettleUndefPass> {
  PreservedAnalyses run(Function& f, FunctionAnalysisManager&) {
    bool changed = false;
    for (Instruction& i : instructions(f)) {
      if (isa<InsertValueInst, InsertElementInst, ShuffleVectorInst>(i)) continue;  // what they fill in is no variable
      for (Use& use : i.operands()) {
        if (!isa<UndefValue>(use) || isa<PoisonValue>(use) || !use->getType()->isFirstClassType()) continue;
        if (use->getType()->isTokenTy() || use->getType()->isMetadataTy() || use->getType()->isLabelTy()) continue;
        use.set(garbage(use->getType()));
        changed = true;
      }
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

FunctionPassManager to_registers() {
  FunctionPassManager passes;
  passes.addPass(FillLocalsPass());
  passes.addPass(PromotePass());
  passes.addPass(InstSimplifyPass());
  passes.addPass(SCCPPass());
  passes.addPass(TidyPass());
  passes.addPass(DCEPass());
  return passes;
}

FunctionPassManager split_locals() {
  FunctionPassManager passes;
  passes.addPass(GuardCopiesPass());
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(UnguardCopiesPass());
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(SettleUndefPass());
  passes.addPass(InstSimplifyPass());
  passes.addPass(SCCPPass());
  passes.addPass(TidyPass());
  passes.addPass(DCEPass());
  return passes;
}

// The attributes that FunctionAttrs infers (or the user has written) speak of the code before the
// instrumentation: the runtime's calls break them. Capture and unwinding stay as they are.
void forget_attributes(Module& module) {
  AttributeMask of_function;
  for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::NoSync, Attribute::NoFree, Attribute::WillReturn,
                                   Attribute::NoRecurse, Attribute::Speculatable, Attribute::NoCallback}) {
    of_function.addAttribute(kind);
  }
  AttributeMask of_argument;
  for (Attribute::AttrKind kind : {Attribute::ReadOnly, Attribute::ReadNone, Attribute::WriteOnly, Attribute::NoFree,
                                   Attribute::Dereferenceable, Attribute::DereferenceableOrNull}) {
    of_argument.addAttribute(kind);
  }
  for (Function& f : module) {
    if (f.isDeclaration()) continue;
    f.removeFnAttrs(of_function);
    for (unsigned i = 0; i < f.arg_size(); ++i) f.removeParamAttrs(i, of_argument);
    for (Instruction& i : instructions(f)) {
      auto* call = dyn_cast<CallBase>(&i);
      const Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!call || (callee && callee->isDeclaration())) continue;
      call->removeFnAttrs(of_function);
      for (unsigned a = 0; a < call->arg_size(); ++a) call->removeParamAttrs(a, of_argument);
    }
  }
}

// Higher than at -O2: a copy of a small function is cheap, and knowing that a variable is private is worth much.
constexpr int kInlineThreshold = 400;

}  // namespace

void simplify(Module& module, TargetMachine& target) {
  Managers managers(target);
  ModulePassManager passes;
  passes.addPass(LowerGlobalDtorsPass());
  passes.addPass(InternalizePass([](const GlobalValue& g) { return g.getName() == "main"; }));
  passes.addPass(GlobalDCEPass());
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(createModuleToFunctionPassAdaptor(to_registers()));
  ModuleInlinerWrapperPass inliner(getInlineParams(kInlineThreshold));
  inliner.getPM().addPass(createCGSCCToFunctionPassAdaptor(to_registers()));
  inliner.getPM().addPass(PostOrderFunctionAttrsPass());
  passes.addPass(std::move(inliner));
  passes.addPass(GlobalDCEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(split_locals()));
  passes.addPass(GlobalDCEPass());
  passes.run(module, managers.modules);
  forget_attributes(module);
}

void optimise(Module& module, TargetMachine& target) {
  Managers managers(target);
  managers.builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, managers.modules);
}

}  // namespace heddle::frontend
