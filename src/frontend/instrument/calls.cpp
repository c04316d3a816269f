// Calls that leave the program tell the machine where they stand.
#include <llvm/IR/InstIterator.h>

#include "frontend/instrument/instrument.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

// Whether the call may reach a function that the machine models. A call through a pointer may.
bool leaves_program(const CallBase& call) {
  if (call.isInlineAsm()) return false;
  const Function* callee = call.getCalledFunction();
  if (!callee) return true;
  return callee->isDeclaration() && !callee->isIntrinsic() && !is_runtime(callee) && !call.doesNotAccessMemory();
}

// An allocation of a known type has a site of its own: by it a report finds the type.
SiteId site_of(const CallBase& call, Sites& sites, Names& names) {
  const SiteId site = sites.of(call);
  const DIType* type = names.allocated.of(call);
  if (!type) return site;
  const SiteId own = sites.copy(site);
  names.allocations.push_back({own, names.types.of(type)});
  return own;
}

}  // namespace

void rewrite_calls(Function& f, Runtime& runtime, Sites& sites, const OfFunction& tells_changes, Names& names) {
  for (Instruction& i : make_early_inc_range(instructions(f))) {
    const auto* call = dyn_cast<CallBase>(&i);
    if (!call || !leaves_program(*call)) continue;
    IRBuilder<> b(&i);
    const Function* callee = call->getCalledFunction();
    if (!callee)
      runtime.call<Entry::enter>(b, {call->getCalledOperand()});
    else if (!tells_changes(callee->getName()))
      runtime.call<Entry::change>(b);
    runtime.call<Entry::at>(b, {runtime.site(site_of(*call, sites, names))});
  }
}

}  // namespace heddle::frontend
