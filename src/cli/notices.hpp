// Which notification is to blame for a thread that waits for ever to be woken.
#pragma once

#include "core/result.hpp"
#include "explore/explore.hpp"
#include "native/native.hpp"

namespace heddle::cli {

// Of the deadlock in the trace: one that woke a single thread of several, or came when no thread waited. It is to blame
// if no execution of the test goes wrong when it wakes all, or is kept until a thread waits: that is tried, for so many
// seconds. None is told if that is not so for one alone.
NoticeAdvice find_notice(NativeMachine& machine, Request request, const Trace& trace, double seconds);

}  // namespace heddle::cli
