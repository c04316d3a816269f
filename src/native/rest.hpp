// What a thread does when it alone is left: it joins the others and ends. In a small execution that is most of the work,
// and mostly it is the same as before. It is the same if
//
//   - the thread stands where it stood before: it has taken no step since that was not undone;
//   - there are the same threads, and the same ones of them are joined or detached;
//   - the memory that it uses then is as it has left it: no other thread has written there, and where it writes, or
//     where the life of a variable ends, no other has read.
//
// So it is watched once. If it takes no action but joins and its exit, and uses no memory but such, the rest is known.
// The front end sees to it that it calls no other library functions (frontend/last_joins.cpp).
#pragma once

#include "native/threads.hpp"

namespace heddle::rest {

struct State {
  bool watched = false;  // a thread is
};
extern State state;

// Whether it is known what comes of t, which is alone and stands before a join. If not, t is watched from now on.
bool known(const Thread& t);
// It is about to take a step.
void look_at_step(ActionKind kind);
// It is not watched any more: the execution has gone back, or begins anew.
void stop();
// For another program.
void reset();

}  // namespace heddle::rest
