#include "explore/await/tree.hpp"

#include <algorithm>
#include <utility>

#include "core/assert.hpp"

namespace heddle {

ThreadId AwaitTree::Paths::thread_at(ThreadPath path) {
  const auto [it, is_new] = ids_.emplace(path, ThreadId(paths_.size()));
  if (is_new) paths_.push_back(path);
  return it->second;
}

// The shortest prefix: most is left to do there.
std::optional<WorkTree::Item> AwaitTree::take() {
  if (ready_.empty()) return std::nullopt;
  const Node node = ready_.begin()->second;
  const std::vector<Node> way = way_to(node);
  HEDDLE_ASSERT(way.size() == frames_[node].depth + 1 && !frames_[node].wakeup.empty());
  StepWriter out(paths_, locations_);
  out.number(way.size());
  out.number(way.size() - 1);
  for (std::size_t i = 1; i < way.size(); ++i) out.label(frames_[way[i]].step);
  out.number(way.size());
  for (const Node n : way) {
    out.sleep(frames_[n].sleep);
    out.tree(trees_, frames_[n].wakeup);
  }
  Frame& frame = frames_[node];
  frame.sleep.steps.push_back({trees_.first(frame.wakeup), true});
  WakeupTrees::Tree branch = trees_.take_first(frame.wakeup);
  trees_.clear(branch);
  if (frame.wakeup.empty()) ready_.erase(ready_.begin());
  ++frame.open;
  return Item{out.bytes(), node};
}

WorkTree::Node AwaitTree::told(Node above, std::string_view what, bool goes_on) {
  StepReader in(what, paths_, locations_);
  for (uint64_t n = in.count(); n > 0; --n) {
    const uint64_t depth = in.number();
    Sequence v = in.labels();
    Node node = above;
    while (frames_[node].depth > depth) node = frames_[node].above;
    HEDDLE_ASSERT(node != kNone && frames_[node].depth == depth);
    insert(node, v);
  }
  for (uint64_t n = in.count(); n > 0; --n) {
    above = add(above);
    Frame& frame = frames_[above];
    if (frame.depth > 0) frame.step = in.label();
    frame.sleep = in.sleep();
    frame.wakeup = in.tree(trees_);
    frame.open = 1;  // what comes next
    if (!frame.wakeup.empty()) ready_.emplace(frame.depth, above);
  }
  in.end();
  if (!goes_on) close(above);
  HEDDLE_ASSERT_WHOLE(check());
  return above;
}

void AwaitTree::clear() {
  frames_.assign(1, {});
  free_.clear();
  ready_.clear();
  trees_ = {};
}

std::string AwaitTree::bytes() const {
  StepWriter out(paths_, locations_);
  out.number(frames_.size());
  for (const Frame& frame : frames_) {
    out.number(frame.above);
    out.number(frame.depth);
    out.number(frame.open);
    out.label(frame.step);
    out.sleep(frame.sleep);
    out.tree(trees_, frame.wakeup);
  }
  return out.bytes();
}

void AwaitTree::load(std::string_view bytes) {
  StepReader in(bytes, paths_, locations_);
  frames_.resize(in.count());
  for (Node n = 0; n < frames_.size(); ++n) {
    Frame& frame = frames_[n];
    frame.above = static_cast<Node>(in.number(frames_.size()));
    frame.depth = static_cast<uint32_t>(in.number());
    frame.open = static_cast<uint32_t>(in.number());
    frame.step = in.label();
    frame.sleep = in.sleep();
    frame.wakeup = in.tree(trees_);
    if (!frame.wakeup.empty()) {
      ready_.emplace(frame.depth, n);
    } else if (n != kNone && frame.open == 0) {
      free_.push_back(n);
    }
  }
  in.end();
  if (const std::string broken = check(); !broken.empty()) throw std::runtime_error(broken);
}

std::string AwaitTree::check() const {
  if (frames_.empty() || !frames_[kNone].wakeup.empty()) return "there is no root";
  std::vector<uint32_t> below(frames_.size());
  for (Node n = 1; n < frames_.size(); ++n) {
    const Frame& frame = frames_[n];
    if (frame.open == 0 && frame.wakeup.empty()) continue;
    if (frame.above != kNone && frame.depth != frames_[frame.above].depth + 1) return "a node is too deep";
    if (frame.above == kNone && frame.depth != 0) return "a node has nothing above it";
    if (frame.depth > 0 && frame.step.thread == kNoThread) return "there is no step to a node";
    ++below[frame.above];
  }
  if (std::ranges::any_of(ready_, [&](const auto& r) { return frames_[r.second].wakeup.empty(); }))
    return "a node has no branch to be taken";
  if (std::ranges::count_if(frames_, [](const Frame& f) { return !f.wakeup.empty(); }) != std::ssize(ready_))
    return "a branch is forgotten";
  for (Node n = 1; n < frames_.size(); ++n) {
    if (below[n] > frames_[n].open) return "a node is below one that is explored";
  }
  return {};
}

WorkTree::Node AwaitTree::add(Node above) {
  if (free_.empty()) {
    free_.push_back(static_cast<Node>(frames_.size()));
    frames_.emplace_back();
  }
  const Node node = free_.back();
  free_.pop_back();
  HEDDLE_ASSERT(node != kNone && frames_[node].open == 0 && frames_[node].wakeup.empty());
  frames_[node] = {};
  frames_[node].above = above;
  frames_[node].depth = above == kNone ? 0 : frames_[above].depth + 1;
  return node;
}

void AwaitTree::insert(Node node, Sequence& v) {
  Frame& frame = frames_[node];
  trees_.insert(frame.wakeup, frame.sleep, v);
  if (!frame.wakeup.empty()) ready_.emplace(frame.depth, node);
}

// A branch of it is explored, and all below.
void AwaitTree::close(Node node) {
  while (node != kNone) {
    HEDDLE_ASSERT(frames_[node].open > 0);
    if (--frames_[node].open > 0 || !frames_[node].wakeup.empty()) return;
    free_.push_back(node);
    node = std::exchange(frames_[node], {}).above;
  }
}

std::vector<WorkTree::Node> AwaitTree::way_to(Node node) const {
  std::vector<Node> way;
  for (; node != kNone; node = frames_[node].above) way.push_back(node);
  std::ranges::reverse(way);
  return way;
}

}  // namespace heddle
