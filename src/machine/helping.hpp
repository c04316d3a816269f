// Operations that others may help with: heddle_helped and heddle_helping of heddle.h (SPORE §2.3).
//
// The body of such an operation is run dry first: its reads return what is in memory, its cas "succeeds", nothing
// is an action, and what it would do is noted. That works because neither the locations nor the expected value may
// depend on what it reads; a second dry run with other values makes sure of that. Then one action, `help`, tells the
// explorer. A helped operation is done for good afterwards; a helping one is not.
#pragma once

#include "machine/access.hpp"

namespace heddle::helping {

// What a dry run does instead of an access. Anything but reads and then one cas is an error.
Value dry_load(Address a, unsigned size, Mode mode);
Value dry_cas(Address a, unsigned size, Value expected, Value desired, AtomicOrder order);
[[noreturn]] void dry_other(const char* what);

}  // namespace heddle::helping
