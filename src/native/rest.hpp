// The rest of an execution: what a thread does when it alone is left, which need not run if it is known.
//
// Thread t is alone when all others have exited or stand before their exit. It joins the others and ends. In a small
// execution that is most of the work, and mostly it is the same as before. It is the same if
//
//   - t stands where it stood before: it has taken no step since that was not undone;
//   - there are the same threads, and the same ones of them are joined or detached;
//   - what t reads, atomically or not, has the same contents;
//   - the memory that t uses then was used by no other thread but those that t has joined before. Where there are
//     twins, it was used by t alone, because what else t sees of them may tell them apart.
//
// So t is watched. The rest is known if t takes no action but joins, its exit, and, when it has joined all, loads and
// frees, and if it uses no other memory than this. Several rests may be known, which differ in what is read. The front
// end sees to it that t calls no other library functions (frontend/instrument/last_joins.cpp).
#pragma once

#include "native/threads.hpp"

namespace heddle::rest {

struct State {
  bool watched = false;  // a thread is
};
extern State state;

// Whether t, which stands before a join, is alone, and it is known what comes of it. If not, t is watched from now on.
bool known(const Thread& t, const Machine::FinalValue& final_value);
// t is about to do this.
void look_at(const Thread& t, const Action& action, Value result);
// It has failed.
void look_at_error();
// It is not watched any more: the execution has gone back, or begins anew.
void stop();
// For another program.
void reset();

}  // namespace heddle::rest
