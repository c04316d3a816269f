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

#include "frontend/checks/checks.hpp"

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

struct CheckBoundsPass : PassInfoMixin<CheckBoundsPass> {
  PreservedAnalyses run(Function& f, FunctionAnalysisManager&) {
    return check_bounds(f) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

struct SettleLocalsPass : PassInfoMixin<SettleLocalsPass> {
  Settle which;
  explicit SettleLocalsPass(Settle w) : which(w) {}
  PreservedAnalyses run(Function& f, FunctionAnalysisManager& analyses) {
    const bool changed = settle_locals(f, analyses.getResult<DominatorTreeAnalysis>(f), which);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// Until the bounds are checked, a load of a constant must not be folded: of one outside the constant nothing is left.
constexpr StringLiteral kConstant = "heddle.constant";
struct HideConstantsPass : PassInfoMixin<HideConstantsPass> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    for (GlobalVariable& g : module.globals()) {
      if (!g.isConstant() || g.isDeclaration()) continue;
      g.setConstant(false);
      g.setMetadata(kConstant, MDNode::get(module.getContext(), {}));
    }
    return PreservedAnalyses::none();
  }
};
struct ShowConstantsPass : PassInfoMixin<ShowConstantsPass> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    for (GlobalVariable& g : module.globals()) {
      if (!g.hasMetadata(kConstant)) continue;
      g.setConstant(true);
      g.setMetadata(kConstant, nullptr);
    }
    return PreservedAnalyses::none();
  }
};

// The size of a variable-length array, or of alloca, stays a number of the run, so that its bounds, its life and what
// has been written to it are watched there.
struct HideSizesPass : PassInfoMixin<HideSizesPass> {
  PreservedAnalyses run(Function& f, FunctionAnalysisManager&) {
    bool changed = false;
    for (Instruction& i : instructions(f)) {
      auto* local = dyn_cast<AllocaInst>(&i);
      if (!local || !local->isArrayAllocation()) continue;
      Value* size = local->getArraySize();
      auto* type = FunctionType::get(size->getType(), {size->getType()}, false);
      InlineAsm* same = InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false);
      local->setOperand(0, CallInst::Create(type, same, {size}, "", local->getIterator()));
      changed = true;
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// A value that was never written is undef, of which an optimiser may make whatever lets an assertion hold. A program
// that uses one gets an error; one that is only copied gets a fixed value, so that the program is deterministic.
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
  passes.addPass(SettleLocalsPass(Settle::scalars));
  passes.addPass(PromotePass());
  passes.addPass(InstSimplifyPass());
  passes.addPass(SCCPPass());
  passes.addPass(TidyPass());
  passes.addPass(DCEPass());
  return passes;
}

// As parts of variables become registers, pointers in them are seen to point to other variables: what a lambda or an
// iterator has captured. A variable that is still not known then goes to the arena.
constexpr int kRounds = 3;

FunctionPassManager split_locals() {
  FunctionPassManager passes;
  for (int round = 0; round < kRounds; ++round) {
    if (round > 0) passes.addPass(CheckBoundsPass());
    passes.addPass(SettleLocalsPass(Settle::all));
    passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  }
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
  // One whose result is unused has gone by now, or stays: what a program does must not depend on O2.
  const auto is_choice = [](const Function& f) { return f.getName().starts_with("__heddle_condition_"); };
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
    if (is_choice(f)) f.removeFnAttrs(of_function);
    if (f.isDeclaration()) continue;
    f.removeFnAttrs(of_function);
    for (unsigned i = 0; i < f.arg_size(); ++i) f.removeParamAttrs(i, of_argument);
    for (Instruction& i : instructions(f)) {
      auto* call = dyn_cast<CallBase>(&i);
      const Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!call || (callee && callee->isDeclaration() && !is_choice(*callee))) continue;
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
  passes.addPass(HideConstantsPass());
  passes.addPass(createModuleToFunctionPassAdaptor(HideSizesPass()));
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(createModuleToFunctionPassAdaptor(to_registers()));
  // Destructors, too, that only run while the stack is unwound: else their objects are not private.
  InlineParams inlining = getInlineParams(kInlineThreshold);
  inlining.ColdThreshold = inlining.ColdCallSiteThreshold = kInlineThreshold;
  ModuleInlinerWrapperPass inliner(inlining);
  inliner.getPM().addPass(createCGSCCToFunctionPassAdaptor(to_registers()));
  passes.addPass(std::move(inliner));
  passes.addPass(GlobalDCEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(CheckBoundsPass()));
  passes.addPass(ShowConstantsPass());
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
