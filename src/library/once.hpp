// pthread_once and call_once that end in another way than by a return.
#pragma once

namespace heddle::library {

// The current thread ends inside of functions that pthread_once or call_once has called: they have not run.
void give_up_onces();

}  // namespace heddle::library
