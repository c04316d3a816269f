// The exploration of RCMC §2, §4, §5: execution graphs with a set T of reads that may still be revisited.
//
// A graph is extended by one event at a time. A new read is tried with each write that is there; with one of them, in
// its sbrf-prefix, it becomes revisitable. A new write is tried at each place in co, and changes what any set of
// revisitable reads of its location reads from, which removes all that depends on them. A read that has been revisited,
// and those before it, are not revisitable any more: so without rmws and SC accesses each execution is explored once.
// With rmws, some are explored again.
//
// The machine tells of no twins and no help: cb is sbrf.
//
// Where this departs from the paper:
//  - psc: see rcmc/sc.hpp. An error of a thread is reported iff the whole graph has no cycle; else the thread stands
//    still until a revisit has mended that.
//  - Where psc has a cycle, plain accesses may race although they do not in fact, so native ones would read anything.
//    Then the exploration stops and asks for a machine that shows them as events. An error of a thread that involves
//    another one, memory that it has freed for example, can only be refused there.
//  - An execution with a psc cycle at its end is none of the program's and is not counted, unless RcmcOptions::psc is
//    off: then psc is looked at only before an error is reported.
//  - A read that does not satisfy its await waits, and may be revisited like any other. All such reads are explored,
//    so that deadlocks are found exactly; only where the read is not revisitable, and its write can never become the
//    latest one, is it left out (Remark 2).
//  - Remark 2 also ends an execution when a thread's assumption fails and nothing before it is revisitable. What the
//    thread has written before that, others may still read, and a plain access may still race: so this is done only if
//    the assumption comes right after a read (Kernel::stops_at).
#pragma once

#include "explore/request/request.hpp"

namespace heddle {

// RC11 or WRC11.
Result explore_rcmc(Machine&, const Request&);

}  // namespace heddle
