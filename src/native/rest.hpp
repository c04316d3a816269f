// What a thread does when it alone is left, all others having exited or standing before their exit: it joins the others
// and ends. In a small execution that is most of the work, and mostly it is the same as before. It is the same if
//
//   - the thread stands where it stood before: it has taken no step since that was not undone;
//   - there are the same threads, and the same ones of them are joined or detached;
//   - what it reads, atomically or not, has the same contents;
//   - nobody has used the memory that it uses then but itself, and threads that it has joined before; where there are
//     twins, nobody but itself, because what else it sees of them may tell them apart.
//
// So it is watched. If it takes no action but joins, loads and frees when it has joined all, and its exit, and uses no
// memory but such, the rest is known. There may be several, which differ in what is read. The front end sees to it that
// no other library functions are called (frontend/instrument/last_joins.cpp).
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
