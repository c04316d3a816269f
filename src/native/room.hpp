// The rooms of layers above, such as the library's. The machine resets them with its own.
#pragma once

#include <span>

namespace heddle {

// Back to the state before main, of the threads in rt.threads.
using ResetRoom = void (*)();

// For the whole process; the room must not be there yet.
bool add_room(ResetRoom reset);
std::span<const ResetRoom> added_rooms();

}  // namespace heddle
