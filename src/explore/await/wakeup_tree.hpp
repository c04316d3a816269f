// Wakeup trees (optimal-dpor-await §IV-B): what is still to be explored after a prefix of the current interleaving.
//
// A tree is the list of its roots, from left to right; a path from a root to a leaf is a wakeup sequence. The branch
// that is being explored is not in the list any more: a wakeup sequence that is inserted is the reversal of a race with
// the first step of that branch, so that step is no weak initial of it, and an insertion would not look there.
//
// All trees of an exploration have their nodes in one pool.
#pragma once

#include <span>
#include <vector>

#include "core/assert.hpp"
#include "explore/await/conflicts.hpp"

namespace heddle {

// Steps that can be taken one after the other from some prefix.
using Sequence = std::vector<Label>;

// Def. 3: whether `next`, which is enabled, is a weak initial of v after the same prefix: whether v can begin with it.
// If `next` is the first step of its thread in v, `at` is its place there, else it is v.size().
bool is_weak_initial(const Label& next, std::span<const Label> v, std::size_t& at);

// A step of a sleep set. Its branch is explored, or (`open`) another process may still be at it.
struct Sleeper {
  Label step;
  bool open = false;
};

struct SleepSet {
  std::vector<Sleeper> steps;
  bool strict = false;  // an open step is of a shorter prefix

  // For the prefix with one more step.
  void inherit(const SleepSet& from, const Label& step);
  // A wakeup sequence ends here: all that sleep count as open (await/tree.hpp).
  void open_all();
  // Whether v is redundant after this prefix (await/tree.hpp).
  bool makes_redundant(std::span<const Label> v) const;
};

class WakeupTrees {
 public:
  using Node = uint32_t;
  static constexpr Node kNone = 0xffffffff;

  struct Tree {
    Node first = kNone, last = kNone;

    bool empty() const { return first == kNone; }
    bool has_one() const { return first == last; }  // root, if it is not empty
  };

  // insert of Algorithm 1, into the tree of a prefix with this sleep set, unless v is redundant there. v is used up.
  // Whether the tree has grown.
  bool insert(Tree& tree, const SleepSet& sleep, Sequence& v);
  const Label& first(const Tree& tree) const {
    HEDDLE_ASSERT(!tree.empty());
    return nodes_[tree.first].label;
  }
  // Takes the leftmost root off: what is left of its branch.
  Tree take_first(Tree& tree);
  void clear(Tree& tree);

  // A tree as it is.
  const Label& label(Node n) const { return nodes_[n].label; }
  const Tree& children(Node n) const { return nodes_[n].children; }
  Node next(Node n) const { return nodes_[n].next; }
  // Adds a rightmost child of this node; kNone: a root. Returns it.
  Node append(Tree& tree, Node parent, const Label& label);

 private:
  struct Element {
    Label label;
    Tree children;
    Node next = kNone;
  };

  Node make(const Label& label);
  bool is_new(const Tree& siblings, const Label& label) const;

  std::vector<Element> nodes_;
  std::vector<Node> free_;
};

}  // namespace heddle
