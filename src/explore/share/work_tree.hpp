// Work whose parts are not independent of each other: what is found in one may make another one larger, or needless.
//
// The parts form a tree. One process keeps it, in its queue (share/memory_queue.hpp); the others explore parts of it.
// Whoever explores a part finds out things about nodes above it, which are shared, and tells of them in its reports.
// When others have no work, it gives some of its own nodes away, the oldest first: they are shared from then on, and
// what is left of its part is below them.
//
// Each algorithm knows what its bytes mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

class WorkTree {
 public:
  // A node above a part; kNone: there is none.
  using Node = uint32_t;
  static constexpr Node kNone = 0;

  struct Item {
    std::string bytes;
    Node above = kNone;
  };

  virtual ~WorkTree() = default;
  // The next part to be explored. Nothing if there is none now: more may come of those that are being explored.
  virtual std::optional<Item> take() = 0;
  // How many could be taken.
  virtual std::size_t waiting() const = 0;
  // What whoever explores a part below `above` has told. The node above what is left of the part, if anything is.
  virtual Node told(Node above, std::string_view what, bool goes_on) = 0;

  // Nodes are below this number.
  virtual std::size_t size() const = 0;
  virtual void clear() = 0;
  // All of it, for a file. load throws std::runtime_error if the bytes are those of no such tree.
  virtual std::string bytes() const = 0;
  virtual void load(std::string_view bytes) = 0;
};

}  // namespace heddle
