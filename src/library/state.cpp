#include "library/state.hpp"

#include "native/room.hpp"

namespace heddle::library {

State state;

void reset() {
  if (!state.used) return;
  state.used = false;
  for (const ThreadId t : rt.threads) {
    OfThread& of = state.of[t];
    of.held.clear();
    of.seeded = false;
  }
}

namespace {

const bool added = add_room({reset, [] { return std::any(save()); },
                             [](const std::any& saved) { restore(std::any_cast<const Saved&>(saved)); }});

}  // namespace

}  // namespace heddle::library
