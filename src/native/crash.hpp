// Crash signals of the program become errors of the execution. This room has no state of an execution.
#pragma once

namespace heddle::crash {

void install();
void uninstall();

}  // namespace heddle::crash
