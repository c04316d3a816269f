// What std::terminate means while a fibre runs, and where exceptions live.
#pragma once

namespace heddle::exceptions {

void install();
void uninstall();

}  // namespace heddle::exceptions
