#include "frontend/instrument.hpp"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "core/error.hpp"
#include "frontend/real_machine.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

Privacy::Privacy(Function& f) {
  // Far above LLVM's default: giving up makes a variable slow, not wrong.
  constexpr unsigned kMaxUses = 2000;
  // A fibre's stack is small; what is larger than this goes where there is room.
  constexpr uint64_t kMaxSize = 1 << 14;
  const auto escapes = [](const Value& v) {
    return PointerMayBeCaptured(&v, /*ReturnCaptures=*/true, /*StoreCaptures=*/true, kMaxUses);
  };
  const auto is_large = [&](const AllocaInst& local) {
    const auto size = local.getAllocationSize(f.getDataLayout());
    return size && size->getFixedValue() > kMaxSize;
  };
  for (const Argument& a : f.args()) {
    if (a.hasByValAttr()) escaping_[&a] = escapes(a);
  }
  for (const Instruction& i : instructions(f)) {
    if (const auto* local = dyn_cast<AllocaInst>(&i)) escaping_[local] = escapes(i) || is_large(*local);
  }
}

bool Privacy::all_of(const Value* pointer, bool constants) const {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return llvm::all_of(objects, [&](const Value* object) {
    if (const auto known = escaping_.find(object); known != escaping_.end()) return !known->second;
    const auto* global = dyn_cast<GlobalVariable>(object);
    return constants && global && global->isConstant();
  });
}

bool Privacy::is_private(const Value* pointer) const { return all_of(pointer, false); }
bool Privacy::is_private_or_constant(const Value* pointer) const { return all_of(pointer, true); }

namespace {

void refuse_assembly(Module& module, Sites& sites) {
  if (!module.getModuleInlineAsm().empty()) {
    throw UserError(module.getSourceFileName() +
                    ": assembly at file level is not supported: leave it out under #ifndef __HEDDLE__");
  }
  for (Function& f : module) {
    for (Instruction& i : instructions(f)) {
      const auto* call = dyn_cast<CallBase>(&i);
      if (!call || !call->isInlineAsm()) continue;
      throw UserError(
          sites.where(i) +
          ": inline assembly is not supported (only compiler barriers, pause hints and fences are): use C11 or C++ "
          "atomics there, or leave it out under #ifndef __HEDDLE__");
    }
  }
}

void name_functions(Program::Impl& program) {
  for (const Function& f : *program.module) {
    if (f.isDeclaration()) continue;
    const DISubprogram* info = f.getSubprogram();
    program.functions.push_back(
        {f.getName().str(), info ? qualified_name(info->getScope(), info->getName()) : f.getName().str()});
  }
}

void erase_keeps(Module& module) {
  Function* keep = module.getFunction(kKeep);
  if (!keep) return;
  for (User* user : make_early_inc_range(keep->users())) cast<CallInst>(user)->eraseFromParent();
  keep->eraseFromParent();
}

void instrument(Function& f, Runtime& runtime, Sites& sites, unsigned unroll) {
  lower_calls(f, runtime, sites);
  EliminateUnreachableBlocks(f);
  copy_escaping_arguments(f);
  const Privacy privacy(f);
  const SmallVector<Instruction*> native = rewrite_accesses(f, runtime, sites, privacy);
  check_bounds(native, f, runtime, sites);
  rewrite_locals(f, runtime, sites, privacy);
  rewrite_calls(f, runtime, sites);
  rewrite_loops(f, runtime, sites, unroll);
}

}  // namespace

void instrument(Program::Impl& program, unsigned unroll) {
  Module& module = *program.module;
  Runtime runtime(module);
  Sites sites;
  refuse_assembly(module, sites);
  refuse_machine(module, sites);
  name_functions(program);
  describe_globals(program);
  lower_thread_locals(program, runtime, sites);
  watch_addresses(module, runtime, sites);
  add_red_zones(module);
  for (Function& f : module) {
    if (!f.isDeclaration()) instrument(f, runtime, sites, unroll);
  }
  erase_keeps(module);
  tell_callers(module, runtime, sites);
  collect_externals(program, sites);
  StripDebugInfo(module);
  program.sites = sites.take();
}

}  // namespace heddle::frontend
