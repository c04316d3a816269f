#include "explore/await/wakeup_tree.hpp"

#include <algorithm>
#include <utility>

#include "core/assert.hpp"

namespace heddle {

bool is_weak_initial(const Label& next, std::span<const Label> v, std::size_t& at) {
  for (at = 0; at < v.size(); ++at) {
    if (v[at].thread == next.thread) return v[at].choice == next.choice;
    if (ordered(v[at], next)) return false;
  }
  return true;
}

void SleepSet::inherit(const SleepSet& from, const Label& step) {
  steps.clear();
  strict = false;
  for (const Sleeper& s : from.steps) {
    if (s.step.thread == step.thread || conflict(s.step, step)) continue;
    steps.push_back(s);
    strict |= s.open;
  }
}

void SleepSet::open_all() {
  for (Sleeper& s : steps) s.open = true;
  strict = !steps.empty();
}

bool SleepSet::makes_redundant(std::span<const Label> v) const {
  return std::ranges::any_of(steps, [&](const Sleeper& s) {
    std::size_t at = 0;
    return is_weak_initial(s.step, v, at) && (at < v.size() || (!strict && !s.open));
  });
}

bool WakeupTrees::insert(Tree& tree, const SleepSet& sleep, Sequence& v) {
  HEDDLE_ASSERT(!v.empty());
  if (sleep.makes_redundant(v)) return false;
  Node parent = kNone;  // the root: `tree` itself
  for (Node n = tree.first; n != kNone;) {
    std::size_t at = 0;
    if (!is_weak_initial(nodes_[n].label, v, at) || (sleep.strict && at == v.size())) {
      n = nodes_[n].next;
      continue;
    }
    if (at == v.size()) return false;
    v.erase(v.begin() + static_cast<std::ptrdiff_t>(at));
    if (v.empty() || nodes_[n].children.empty()) return false;
    parent = n;
    n = nodes_[n].children.first;
  }
  HEDDLE_ASSERT(is_new(parent == kNone ? tree : nodes_[parent].children, v.front()));
  for (const Label& label : v) parent = append(tree, parent, label);
  return true;
}

// Whether no branch begins with this step. For assertions.
bool WakeupTrees::is_new(const Tree& siblings, const Label& label) const {
  for (Node n = siblings.first; n != kNone; n = nodes_[n].next) {
    if (nodes_[n].label.thread == label.thread && nodes_[n].label.choice == label.choice) return false;
  }
  return true;
}

WakeupTrees::Node WakeupTrees::append(Tree& tree, Node parent, const Label& label) {
  const Node n = make(label);
  Tree& siblings = parent == kNone ? tree : nodes_[parent].children;
  HEDDLE_ASSERT(siblings.empty() || nodes_[siblings.last].next == kNone);
  (siblings.empty() ? siblings.first : nodes_[siblings.last].next) = n;
  return siblings.last = n;
}

WakeupTrees::Tree WakeupTrees::take_first(Tree& tree) {
  const Node n = tree.first;
  HEDDLE_ASSERT(n < nodes_.size() && (n == tree.last) == (nodes_[n].next == kNone));
  HEDDLE_ASSERT(free_.size() < nodes_.size());
  tree.first = nodes_[n].next;
  if (tree.first == kNone) tree.last = kNone;
  free_.push_back(n);
  return nodes_[n].children;
}

void WakeupTrees::clear(Tree& tree) {
  std::vector<Tree> left{std::exchange(tree, {})};
  while (!left.empty()) {
    Tree next = left.back();
    left.pop_back();
    while (!next.empty()) left.push_back(take_first(next));
  }
}

WakeupTrees::Node WakeupTrees::make(const Label& label) {
  if (free_.empty()) {
    nodes_.push_back({label, {}, kNone});
    return static_cast<Node>(nodes_.size() - 1);
  }
  const Node n = free_.back();
  free_.pop_back();
  nodes_[n] = {label, {}, kNone};
  return n;
}

}  // namespace heddle
