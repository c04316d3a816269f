// Which threads of a script can be exchanged.
#pragma once

#include "machine/script/script.hpp"

namespace heddle {

// The twin of the thread that the create at `pc` starts: the thread that was created just before by the same parent,
// if both run the same code. kNoThread if there is none.
ThreadId script_twin(const Script&, ThreadId parent, uint32_t pc);

}  // namespace heddle
