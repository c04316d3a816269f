// The passes on loops: waiting, pausing and counting ones, and how often one may go round. Each is a file of this room,
// and part of the instrumentation (instrument/instrument.cpp), in this order.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include "frontend/checks/privacy.hpp"
#include "frontend/ir/runtime.hpp"
#include "frontend/ir/sites.hpp"
#include "frontend/loops/conditions.hpp"
#include "frontend/loops/facts.hpp"
#include "frontend/program/program.hpp"
#include "frontend/program/request.hpp"

namespace heddle::frontend {

// time_limits.cpp: before anything of ours uses what the program does not.
void find_time_limits(llvm::Module& module, const CompileRequest& request);
// pauses.cpp: before privacy is decided.
void leave_out_pauses(llvm::Function& f, const OfFunction& only_pauses, LoopFacts& facts);
// rounds.cpp: where the rounds of loops begin. What follows must not remove these blocks.
void find_cuts(llvm::Function& f, const OfFunction& gives_back, LoopFacts& facts);
// awaits.cpp: before the accesses are rewritten
void rewrite_awaits(llvm::Function& f, Runtime& runtime, const Privacy& privacy, const CompileRequest& request,
                    const OfFunction& only_pauses, ConditionMaker& conditions, LoopFacts& facts);
// rounds.cpp: before the accesses are rewritten, what is a change; after it, the rest.
void tell_changes(llvm::Function& f, Runtime& runtime, const Privacy& privacy, bool retries, LoopFacts& facts);
void rewrite_rounds(llvm::Function& f, Runtime& runtime, Sites& sites, const OfFunction& only_pauses, LoopFacts& facts);
// bounds.cpp: after the others, of which it tells (notes).
void rewrite_loops(llvm::Function& f, Runtime& runtime, Sites& sites, const LoopFacts& facts,
                   llvm::MutableArrayRef<Unroll> unroll, std::vector<LoopNote>& notes);

// What several of them ask. bounds.cpp:
bool has_call(const llvm::Loop& loop);
// rounds.cpp. The name of a variable as the source has it: what LLVM makes of it keeps that.
std::string source_name(const llvm::Instruction& i);

}  // namespace heddle::frontend
