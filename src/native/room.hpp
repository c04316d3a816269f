// The rooms of layers above, such as the library's. The machine resets, saves and restores them with its own.
#pragma once

#include <any>
#include <span>

namespace heddle {

struct Room {
  void (*reset)();  // back to the state before main, of the threads in rt.threads
  std::any (*save)();
  void (*restore)(const std::any&);
};

// For the whole process; the room must not be there yet.
bool add_room(const Room& room);
std::span<const Room> added_rooms();

}  // namespace heddle
