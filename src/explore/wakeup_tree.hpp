// Wakeup trees (optimal-dpor-await §IV-B): what is still to be explored after a prefix of the current interleaving.
//
// A tree is the list of its roots, from left to right; a path from a root to a leaf is a wakeup sequence. The branch
// that is being explored is not in the list any more: a wakeup sequence that is inserted is the reversal of a race with
// the first step of that branch, so that step is no weak initial of it, and nobody would look there.
//
// All trees of an exploration have their nodes in one pool.
#pragma once

#include <span>
#include <vector>

#include "explore/conflicts.hpp"

namespace heddle {

// Steps that can be taken one after the other from some prefix.
using Sequence = std::vector<Label>;

// Def. 3: whether `next`, which is enabled, is a weak initial of v after the same prefix: whether v can begin with it.
// If `next` is the first step of its thread in v, `at` is its place there, else it is v.size().
bool is_weak_initial(const Label& next, std::span<const Label> v, std::size_t& at);

class WakeupTrees {
 public:
  using Node = uint32_t;
  static constexpr Node kNone = 0xffffffff;

  struct Tree {
    Node first = kNone, last = kNone;

    bool empty() const { return first == kNone; }
  };

  // insert of Algorithm 1. v is used up.
  void insert(Tree& tree, Sequence& v);
  const Label& first(const Tree& tree) const { return nodes_[tree.first].label; }
  // Takes the leftmost root off: what is left of its branch.
  Tree take_first(Tree& tree);
  void clear(Tree& tree);

 private:
  struct Element {
    Label label;
    Tree children;
    Node next = kNone;
  };

  Node make(const Label& label);

  std::vector<Element> nodes_;
  std::vector<Node> free_;
};

}  // namespace heddle
