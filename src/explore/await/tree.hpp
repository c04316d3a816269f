// An exploration by await (await/await.hpp) that several processes share.
//
// A node is a prefix of an interleaving, with its sleep set and its wakeup tree. A part of the work is a branch of a
// wakeup tree. A process that explores a part may find a race with a step of the prefix above the part. It tells the
// wakeup sequence, which is inserted at the node before that step.
//
// Terms: v is a wakeup sequence that is to be inserted, s a step of the sleep set there. The branch of s is the one
// that s begins. s is open while another process may still explore its branch.
//
// No class is explored twice. When a branch is taken, its first step enters the sleep set of the branches that are
// taken later.
//
// No class is lost:
//   1. Algorithm 1 leaves v out if a step s of the sleep set is a weak initial of v.
//   2. If s occurs in v, s is a weak initial of each sequence that begins with v. The branch of s has all of these.
//   3. If s does not occur in v, a step after v may conflict with s. Then the branch of s has told a longer wakeup
//      sequence, before the branch of v began.
//   4. If s is open, that sequence may not have come yet. When it comes, it may belong into a part that is taken.
//   5. So in prefixes that inherit an open step, v is left out only for steps that occur in v, both of the sleep set
//      and of the wakeup tree. That is the rule of Source-DPOR (Source Sets §5), by which each part finds all its
//      classes without the others.
//   6. Steps that are asleep where a wakeup sequence ends count as open from there on: the sequences that their
//      branches have told may have been left out for the sake of that one.
//
// The price: an interleaving may end where all threads that could go on are asleep. It is not counted.
//
// At the prefix itself an open step counts only if it occurs in v. A branch that waits to be taken, or did when the
// part began, counts even if its first step does not occur in v: it is taken later, and knows this part as open. So of
// two branches at most one relies on the other.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/thread_paths.hpp"
#include "explore/await/bytes.hpp"
#include "explore/await/wakeup_tree.hpp"
#include "explore/share/work_tree.hpp"
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
  std::optional<Item> take() override;
  std::size_t waiting() const override { return ready_.size(); }
  Node told(Node above, std::string_view what, bool goes_on) override;
  std::size_t size() const override { return frames_.size(); }
  void clear() override;
  std::string bytes() const override;
  void load(std::string_view bytes) override;

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
    SleepSet sleep;
    WakeupTrees::Tree wakeup;
    Node above = kNone;
    uint32_t depth = 0;  // steps
    uint32_t open = 0;   // branches that are being explored
  };

  Node add(Node above);
  void insert(Node node, Sequence& v);
  void close(Node node);
  std::string check() const;
  std::vector<Node> way_to(Node node) const;

  Paths paths_;
  Locations locations_;
  WakeupTrees trees_;
  std::vector<Frame> frames_ = std::vector<Frame>(1);  // by Node; that of kNone is none
  std::vector<Node> free_;
  std::set<std::pair<uint32_t, Node>> ready_;  // those that have branches, with their depths
};

}  // namespace heddle
