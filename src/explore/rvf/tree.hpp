// An exploration by rvf (rvf/rvf.hpp) that several processes share.
//
// What is below a node of RVF-SMC depends on nothing but the node. But whether its next candidate is to be tried
// depends on what was below the last one: whether a node there has sent a backtrack signal. So a node that is shared
// waits for that: as soon as there is a signal, the rest of it is a part of the work; when all below it is explored
// without one, the rest is left out, as by one process alone. So the same nodes are explored.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/bytes.hpp"
#include "explore/share/work_tree.hpp"

namespace heddle {

// What is told:
//   levels      nodes that are shared from now on, each below the one before. A choice of the program is
//                 1, depth, an item for each other choice
//               and a read is
//                 0, depth, its number as an ancestor, whether it has a signal, an item for each other group,
//                 an item for the rest (empty: there is none)
//   signals     ancestors that have one, by their numbers
class RvfTree : public WorkTree {
 public:
  std::optional<Item> take() override;
  std::size_t waiting() const override { return ready_.size(); }
  Node told(Node above, std::string_view what, bool goes_on) override;
  std::size_t size() const override { return nodes_.size(); }
  void clear() override;
  std::string bytes() const override;
  void load(std::string_view bytes) override;

 private:
  struct Shared {
    Node above = kNone;
    uint64_t number = 0;  // as an ancestor
    uint64_t depth = 0;
    uint32_t open = 0;  // parts and nodes right below it
    std::string rest;
  };

  Node add_level(Node above, std::string_view level);
  void add_item(Node above, uint64_t depth, std::string bytes);
  void release(Node node);
  void close(Node node);
  std::string check() const;

  std::vector<Shared> nodes_ = std::vector<Shared>(1);  // that of kNone is none
  std::vector<Node> free_;
  std::map<std::pair<uint64_t, uint64_t>, Item> ready_;  // by depth, the oldest first
  uint64_t items_ = 0;                                   // that there ever were
};

}  // namespace heddle
