// Work whose parts are not independent of each other: what is found in one may make another one larger, or needless.
//
// The parts form a tree. A node is shared if the parts below it may be explored by several processes. One process keeps
// the shared nodes, in its queue (share/memory_queue.hpp); the others explore parts below them. A process that explores
// a part finds out things about the shared nodes above it, and tells them in its reports. When other processes have no
// work, it shares some of its own nodes, the oldest first. What is left of its part is below them then.
//
// The tree does not look into the bytes of a part: each algorithm knows what its bytes mean.
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
  // What the process that explores a part below `above` has told. Returns the node above what is left of the part, if
  // anything is left.
  virtual Node told(Node above, std::string_view what, bool goes_on) = 0;

  // Nodes are below this number.
  virtual std::size_t size() const = 0;
  virtual void clear() = 0;
  // All of it, for a file. load throws std::runtime_error if the bytes are those of no such tree.
  virtual std::string bytes() const = 0;
  virtual void load(std::string_view bytes) = 0;
};

}  // namespace heddle
