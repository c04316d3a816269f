// An exploration by await (await.hpp) that several processes share.
//
// A node is a prefix of an interleaving with its sleep set and its wakeup tree, a part of the work is a branch of the
// tree. Where a part that is being explored has a race with a step of the prefix above it, the wakeup sequence is told.
//
// Why each class is still explored exactly once: a branch that has been taken counts as explored, for the branches
// taken after it and for wakeup sequences that are told. It will be explored completely, whatever is in its wakeup tree
// now: that is what the theorem on Algorithm 1 says of each call of Explore. So its first step may be in the sleep set
// at once, and all is as if the branches had been explored one after the other, in the order in which they were taken.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/thread_paths.hpp"
#include "explore/await_bytes.hpp"
#include "explore/wakeup_tree.hpp"
#include "explore/work_tree.hpp"
#include "graph/locations.hpp"

namespace heddle {

// An item:
//   root                  frames before this one are shared; what the item says of them is what was known then
//   steps                 from the beginning
//   frames                of each prefix of them, from the empty one on: sleep set, wakeup tree
//
// If there is a frame for each prefix, the item is the first branch of the last frame, which is shared. Otherwise it is
// all that is left in the frames from `root` on, where the branch that the last step began is done.
//
// What is told:
//   wakeup sequences      each with the length of its prefix, in the shared frames
//   frames                that are shared from now on: the step to them, sleep set, wakeup tree. The sleep set has the
//                         step to the next frame.
class AwaitTree : public WorkTree {
 public:
  AwaitTree();

  std::optional<Part> take() override;
  std::size_t waiting() const override { return ready_.size(); }
  Node told(Node above, std::string_view what, bool goes_on) override;

 private:
  // Threads by numbers of our own.
  class Paths : public ThreadPaths {
   public:
    ThreadPath path(ThreadId t) const override { return paths_[index(t)]; }
    ThreadId thread_at(ThreadPath path) override;

   private:
    std::vector<ThreadPath> paths_;
    std::map<ThreadPath, ThreadId> ids_;
  };

  struct Frame {
    Label step;  // to it
    std::vector<Sleeper> sleep;
    WakeupTrees::Tree wakeup;
    Node above = kNone;
    uint32_t depth = 0;  // steps
    uint32_t open = 0;   // branches that are being explored
  };

  Node add(Node above);
  void insert(Node node, Sequence& v);
  void close(Node node);
  std::vector<Node> way_to(Node node) const;

  Paths paths_;
  Locations locations_;
  WakeupTrees trees_;
  std::vector<Frame> frames_;  // by Node
  std::vector<Node> free_;
  std::set<std::pair<uint32_t, Node>> ready_;  // those that have branches, with their depths
};

}  // namespace heddle
