#include "frontend/instrument/instrument.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "core/assert.hpp"
#include "core/error.hpp"
#include "frontend/assembly/assembly.hpp"
#include "frontend/loops/facts.hpp"
#include "frontend/loops/loops.hpp"
#include "frontend/loops/undone.hpp"
#include "frontend/rewrite/real_machine.hpp"
#include "frontend/rewrite/rewrite.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

void refuse_assembly(Module& module, Sites& sites) {
  if (!module.getModuleInlineAsm().empty()) {
    throw UserError(module.getSourceFileName() +
                    ": assembly at file level is not supported: leave it out under #ifndef __HEDDLE__");
  }
  for (Function& f : module) {
    for (Instruction& i : instructions(f)) {
      const auto* call = dyn_cast<CallBase>(&i);
      if (!call || !call->isInlineAsm() || only_computes(*call)) continue;
      // At its own place, also in a header that is not the user's.
      const Site& site = sites.table()[sites.of(i)];
      const std::string place = site.file + ":" + std::to_string(site.line);
      const std::string user = sites.where(i);
      std::string text = cast<InlineAsm>(call->getCalledOperand())->getAsmString();
      std::ranges::replace(text, '\n', ';');
      throw UserError(place + ": inline assembly is not supported: \"" + StringRef(text).trim(" ;").str() + "\"" +
                      (user == place ? "" : " (used at " + user + ")") +
                      "; use C11 or C++ atomics there, or leave it out under #ifndef __HEDDLE__");
    }
  }
}

// stdout and stderr are variables of heddle's own process: the program reads them.
void refuse_other_streams(Module& module, Sites& sites) {
  for (const char* name : {"stdout", "stderr"}) {
    const GlobalVariable* stream = module.getNamedGlobal(name);
    if (!stream || !stream->isDeclaration()) continue;
    for (const User* user : stream->users()) {
      if (isa<LoadInst>(user)) continue;
      const auto* i = dyn_cast<Instruction>(user);
      throw UserError((i ? sites.where(*i) : module.getSourceFileName()) + ": '" + name +
                      "' can only be read: to change it or to take its address is not supported; use a variable of "
                      "your own, at least under #ifdef __HEDDLE__");
    }
  }
}

// Intrinsics that touch memory through a pointer, and that the passes know, or that do nothing to it.
bool is_known(const IntrinsicInst& call) {
  if (isa<MemIntrinsic, LifetimeIntrinsic, VAStartInst, VAEndInst, VACopyInst>(call)) return true;
  switch (call.getIntrinsicID()) {
    case Intrinsic::stacksave:
    case Intrinsic::stackrestore:
    case Intrinsic::eh_typeid_for:
    case Intrinsic::threadlocal_address:
    case Intrinsic::objectsize:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::var_annotation:
    case Intrinsic::ptr_annotation:
    case Intrinsic::sideeffect: return true;
    default: return call.doesNotAccessMemory() || call.onlyAccessesInaccessibleMemory();
  }
}

void refuse_intrinsics(Function& f, Sites& sites) {
  for (const Instruction& i : instructions(f)) {
    const auto* call = dyn_cast<IntrinsicInst>(&i);
    if (!call || is_known(*call)) continue;
    if (none_of(call->args(), [](const Use& a) { return a->getType()->getScalarType()->isPointerTy(); })) continue;
    throw UserError(
        sites.where(i) + ": the processor's instruction '" + call->getCalledFunction()->getName().str() +
        "', which uses memory, is not supported: write it as ordinary code, at least under #ifdef __HEDDLE__");
  }
}

// What a std::thread runs: the first of the types in the tuple that it is made with.
std::string callable_of(StringRef symbol) {
  const std::string name = demangle(symbol);
  constexpr StringRef kAsync = "std::__future_base::_Async_state_impl<";
  StringRef rest = name;
  if (!rest.consume_front("std::thread::_State_impl<") && !rest.consume_front(kAsync)) return "";
  if (!rest.consume_front("std::thread::_Invoker<std::tuple<")) return "";
  if (rest.starts_with(("void (" + kAsync).str())) return std::string(Image::kByPointer);
  int depth = 0;
  const std::size_t start = name.size() - rest.size();
  std::size_t end = start;
  for (; end < name.size(); ++end) {
    const char c = name[end];
    if (depth == 0 && (c == ',' || c == '>')) break;
    depth += c == '<' || c == '(' || c == '{' ? 1 : c == '>' || c == ')' || c == '}' ? -1 : 0;
  }
  std::string type = name.substr(start, end - start);
  constexpr StringRef kNameless = "(anonymous namespace)::";
  for (std::size_t at; (at = type.find(kNameless.str())) != std::string::npos;) type.erase(at, kNameless.size());
  for (const char* lambda : {"::{lambda", "::'lambda", "::$_"}) {
    const std::size_t at = type.find(lambda);
    if (at != std::string::npos) return "lambda in " + type.substr(0, std::min(at, type.find_first_of("(<")));
  }
  return type.find("(*)") != std::string::npos || type.find("::*)") != std::string::npos
             ? std::string(Image::kByPointer)
             : type;
}

void name_functions(Program::Impl& program) {
  for (const Function& f : *program.module) {
    if (f.isDeclaration()) continue;
    const DISubprogram* info = f.getSubprogram();
    std::string name = callable_of(f.getName());
    if (name.empty()) name = info ? qualified_name(info->getScope(), info->getName()) : f.getName().str();
    program.functions.push_back({f.getName().str(), name});
  }
}

void erase_keeps(Module& module) {
  Function* keep = module.getFunction(kKeep);
  if (!keep) return;
  for (User* user : make_early_inc_range(keep->users())) cast<CallInst>(user)->eraseFromParent();
  HEDDLE_ASSERT(keep->use_empty());
  keep->eraseFromParent();
}

// Calls that have no effect a thread could notice. Where no clock is read, sleeping is one.
OfFunction only_pauses(const Module& module, const PausingOf& pausing) {
  const bool timed = any_of(module, [&](const Function& f) {
    return f.isDeclaration() && !f.use_empty() && pausing(f.getName()) == Pausing::tells_time;
  });
  return [timed, &pausing](std::string_view name) {
    const Pausing is = pausing(name);
    return is == Pausing::yields || (is == Pausing::sleeps && !timed);
  };
}

#if HEDDLE_CHECKED
// What is left of the accesses: those of private memory and of constants, and the fuel.
std::string access_problem(const Function& f) {
  const auto place = [](const Value* pointer) { return getUnderlyingObject(pointer, 0); };
  const auto is_constant = [&](const Value* pointer) {
    const auto* global = dyn_cast<GlobalVariable>(place(pointer));
    return global && global->isConstant();
  };
  const auto may_stay = [&](const Value* pointer) {
    return isa<AllocaInst>(place(pointer)) || place(pointer)->getName() == "__heddle_fuel";
  };
  for (const Instruction& i : instructions(f)) {
    if (i.isAtomic()) return "an atomic access is left";
    const auto* load = dyn_cast<LoadInst>(&i);
    if (load && !may_stay(load->getPointerOperand()) && !is_constant(load->getPointerOperand()))
      return "a load of shared memory is left";
    const auto* store = dyn_cast<StoreInst>(&i);
    if (store && !may_stay(store->getPointerOperand())) return "a store to shared memory is left";
    const auto* memory = dyn_cast<MemIntrinsic>(&i);
    if (memory && !may_stay(memory->getRawDest())) return "a write of a block of shared memory is left";
    const auto* copy = dyn_cast<MemTransferInst>(&i);
    if (copy && !may_stay(copy->getRawSource()) && !is_constant(copy->getRawSource()))
      return "a copy of shared memory is left";
  }
  return {};
}

// Sites that the image names are in the table, and those that name memory belong to one variable or allocation each.
std::string site_problem(const Program::Impl& program, const SiteTable& table) {
  const auto exists = [&](SiteId site) { return index(site) < table.size(); };
  SmallDenseSet<uint32_t> own;
  const auto is_own = [&](SiteId site) {
    return exists(site) && site != kNoSite && own.insert(static_cast<uint32_t>(site)).second;
  };
  if (!all_of(program.loops, [&](const LoopNote& note) { return exists(note.site); })) return "a loop has no site";
  if (!all_of(program.externals, [&](const External& e) { return exists(e.site); })) return "an external has no site";
  for (const Image::Local& local : program.locals) {
    if (!is_own(local.site)) return "two variables have one site";
  }
  for (const Image::Allocation& allocation : program.allocations) {
    if (!is_own(allocation.site)) return "two allocations have one site";
  }
  return {};
}
#endif

// Whether some loop waits, or may change nothing in a round.
bool instrument(Function& f, Runtime& runtime, Sites& sites, const CompileRequest& request,
                const OfFunction& only_pauses, ConditionMaker& conditions, MutableArrayRef<Unroll> unroll, Names& names,
                std::vector<LoopNote>& notes) {
  lower_calls(f, runtime, sites);
  refuse_intrinsics(f, sites);
  EliminateUnreachableBlocks(f);
  LoopFacts facts;
  // A loop that the user has named must be there.
  const bool named = any_of(unroll, [](const Unroll& u) { return u.is_named(); });
  if (request.purity && !named) leave_out_pauses(f, only_pauses, facts);
  if (request.purity || request.await) find_cuts(f, request.gives_back, facts);
  const Privacy privacy(f);
  if (request.await) rewrite_awaits(f, runtime, privacy, request, only_pauses, conditions, facts);
  if (request.purity) tell_changes(f, runtime, privacy, request.retries, facts);
  rewrite_accesses(f, runtime, sites, privacy);
  rewrite_locals(f, runtime, sites, privacy, names);
  rewrite_calls(f, runtime, sites, request.tells_changes, names);
  if (request.purity) rewrite_rounds(f, runtime, sites, only_pauses, facts);
  rewrite_loops(f, runtime, sites, facts, unroll, notes);
  HEDDLE_ASSERT_WHOLE(access_problem(f));
  return any_of(facts, [](const auto& known) { return known.second.waits || known.second.pure; });
}

}  // namespace

void instrument(Program::Impl& program, const CompileRequest& request) {
  Module& module = *program.module;
  Runtime runtime(module);
  Sites sites;
  refuse_assembly(module, sites);
  refuse_other_streams(module, sites);
  refuse_machine(module, sites);
  name_functions(program);
  describe_globals(program);
  lower_thread_locals(program, runtime, sites);
  if (request.purity) find_time_limits(module, request);
  const OfFunction pauses = only_pauses(module, request.pausing);
  name_syscalls(module);
  name_barrier_waits(module);
  const bool watches = request.await && request.retries && may_take_back(module);
  if (request.commute || watches || request.purity) mark_unused_results(module);
  mark_last_joins(module, request.frees);
  watch_addresses(module, runtime, sites);
  add_red_zones(module);
  ConditionMaker conditions(runtime, pauses, request.assumes, program, watches);
  std::vector<Unroll> unroll = request.unroll;
  Names names{Types(program.types), AllocatedTypes(module), program.locals, program.allocations};
  for (Function& f : module) {
    if (f.isDeclaration() || f.hasFnAttribute(kCondition)) continue;
    program.waits |= instrument(f, runtime, sites, request, pauses, conditions, unroll, names, program.loops);
  }
  program.undoes = conditions.undoes();
  for (const Unroll& u : unroll) {
    if (!u.used && u.is_named()) throw UserError("--unroll " + u.text() + ": the program has no such loop");
  }
  erase_keeps(module);
  tell_callers(module, runtime, sites);
  collect_externals(program, sites);
  for (Function& f : module) {
    for (Instruction& i : instructions(f)) i.setMetadata(kVariable, nullptr);  // it would keep debug information
    if (!f.isDeclaration()) f.addFnAttr("probe-stack", "inline-asm");          // no frame reaches beyond the guard page
  }
  if (!program.for_debugger) StripDebugInfo(module);
  HEDDLE_ASSERT_WHOLE(site_problem(program, sites.table()));
  program.sites = sites.take();
}

}  // namespace heddle::frontend
