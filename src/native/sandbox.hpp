// What the program under test may not do to the machine that it runs on: no network, no files but to read, no other
// processes, nothing to the system. heddle refuses such functions by name (library/unsupported.cpp); this is for what
// gets past that: a jump to a wild address, code that is called natively.
//
// Two filters of system calls (seccomp). One holds for the whole process and lists what heddle itself does not do once
// the program is compiled. It lists what is forbidden rather than what is allowed: libraries below us differ in
// the calls that they make. The other holds for instructions in the program's image, which may start no process, send
// no signal and end no process either; heddle does all that. A forbidden call raises SIGSYS, which becomes an error of
// the execution like other crash signals (crash.hpp).
//
// Landlock, where the kernel has it, forbids the same files, TCP, and signals to processes outside, once more; and a
// limit keeps files that are open already from growing without end.
#pragma once

#include <signal.h>

#include <string>

namespace heddle::sandbox {

// From here on the process and its copies are in it; there is no way out. `network`: heddle itself needs it, so only
// the program's own instructions are kept from it. Returns a sentence on what protects.
std::string enter(bool network);
bool entered();

// Signals of the filters. The program's thread fails, with the name of the call.
bool is_ours(int signal, const siginfo_t& info);
[[noreturn]] void report(const siginfo_t& info);

}  // namespace heddle::sandbox
