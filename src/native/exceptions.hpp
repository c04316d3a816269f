// What std::terminate means while a fibre runs, and where exceptions live. This room has no state of an execution: the
// exceptions in flight are part of Thread, their objects are blocks.
#pragma once

namespace heddle::exceptions {

void install();
void uninstall();

// Before native code reads a thrown object: puts into memory what the thread reads there.
void refresh(void* thrown);

}  // namespace heddle::exceptions
