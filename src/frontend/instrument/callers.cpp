// What a library function does is told at the user's call of it.
//
// A function of a header that is inlined knows its caller: LLVM keeps the chain. One that is not, such as a template of
// <map> or a function of the compiled library, asks at its start for the site that the call has left (here) and uses
// that for all that it does; each call of it leaves one (at).
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>

#include "core/assert.hpp"
#include "frontend/instrument/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// No frame of the site is the user's.
bool in_library(const SiteTable& sites, SiteId id) {
  return id != kNoSite && is_library_file(sites[user_frame(sites, id)].file);
}

// The operand of a call of the runtime that holds the site; null if there is none.
Use* site_operand(Instruction& i) {
  auto* call = dyn_cast<CallInst>(&i);
  if (!call || !is_runtime(call->getCalledFunction()) || call->arg_empty()) return nullptr;
  Use& last = call->getArgOperandUse(call->arg_size() - 1);
  return isa<ConstantInt>(last) && last->getType()->isIntegerTy(32) ? &last : nullptr;
}

class Callers {
 public:
  Callers(Module& module, Runtime& runtime, Sites& sites) : module_(module), runtime_(runtime), sites_(sites) {}

  void run() {
    for (Function& f : module_) {
      for (Instruction& i : instructions(f)) {
        const Use* site = site_operand(i);
        if (site && in_library(*site)) asking_.insert(&f);
      }
    }
    // A library function that only passes its caller on asks too.
    for (std::size_t n = 0; n < asking_.size(); ++n) {
      for (CallBase* call : calls_of(*asking_[n])) {
        if (in_library(sites_.table(), sites_.of(*call))) asking_.insert(call->getFunction());
      }
    }
    for (Function* f : asking_) ask(*f);
    for (Function* f : asking_) {
      for (CallBase* call : calls_of(*f)) leave_site(*call);
    }
  }

 private:
  bool in_library(const Use& site) const {
    HEDDLE_ASSERT(constant(site) < sites_.table().size());
    return in_library(sites_.table(), SiteId(constant(site)));
  }
  static bool in_library(const SiteTable& table, SiteId id) { return frontend::in_library(table, id); }
  static uint32_t constant(const Use& site) { return static_cast<uint32_t>(cast<ConstantInt>(site)->getZExtValue()); }

  static SmallVector<CallBase*> calls_of(Function& f) {
    SmallVector<CallBase*> calls;
    for (User* user : f.users()) {
      auto* call = dyn_cast<CallBase>(user);
      if (call && call->getCalledFunction() == &f) calls.push_back(call);
    }
    return calls;
  }

  void ask(Function& f) {
    SmallVector<Use*> uses;
    for (Instruction& i : instructions(f)) {
      Use* site = site_operand(i);
      if (site && in_library(*site)) uses.push_back(site);
    }
    IRBuilder<> b(&*f.getEntryBlock().begin());
    const SiteId own = uses.empty() ? kNoSite : SiteId(constant(*uses[0]));
    Value* here = runtime_.call<Entry::here>(b, {runtime_.site(own)});
    for (Use* use : uses) use->set(here);
    here_[&f] = here;
  }

  // The call may be the user's, or one inside of the library.
  void leave_site(CallBase& call) {
    const SiteId site = sites_.of(call);
    Value* here = here_.lookup(call.getFunction());
    IRBuilder<> b(&call);
    runtime_.call<Entry::at>(b, {here && in_library(sites_.table(), site) ? here : runtime_.site(site)});
  }

  Module& module_;
  Runtime& runtime_;
  Sites& sites_;
  SetVector<Function*> asking_;
  DenseMap<const Function*, Value*> here_;
};

}  // namespace

void tell_callers(Module& module, Runtime& runtime, Sites& sites) { Callers(module, runtime, sites).run(); }

}  // namespace heddle::frontend
