// `heddle replay --gdb`: gdb on a heddle that replays in its own process, without a child.
//
// gdb is told a few commands of ours (gdb_script.cpp). They look at the functions and variables here, by name.
#pragma once

#include "cli/options.hpp"
#include "explore/judge/trace.hpp"
#include "native/native.hpp"

namespace heddle::cli {

extern const char* const kGdbScript;

// Becomes gdb. Throws UserError if there is none.
[[noreturn]] void start_gdb(const Options& options);

// Lets the debugger know of each action, and of the threads then. The machine must outlive it.
BeforeAction debugger_hook(NativeMachine& machine);
// ... and of the end of the execution, with what is wrong with it.
void tell_debugger_end(NativeMachine& machine, const Result& result);

}  // namespace heddle::cli
