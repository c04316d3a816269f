// Crash signals of the program become errors of the execution.
#pragma once

namespace heddle::crash {

void install();
void uninstall();

}  // namespace heddle::crash
