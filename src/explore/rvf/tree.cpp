#include "explore/rvf/tree.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "core/assert.hpp"

namespace heddle {

// The least depth: most is left to do there.
std::optional<WorkTree::Item> RvfTree::take() {
  if (ready_.empty()) return std::nullopt;
  return std::move(ready_.extract(ready_.begin()).mapped());
}

WorkTree::Node RvfTree::told(Node above, std::string_view what, bool goes_on) {
  ByteReader in(what);
  const std::string shown = in.text();
  ByteReader levels(shown);
  while (!levels.at_end()) above = add_level(above, levels.text());
  for (uint64_t n = in.count(); n > 0; --n) {
    const uint64_t number = in.number();
    Node node = above;
    while (node != kNone && nodes_[node].number > number) node = nodes_[node].above;
    if (node == kNone) continue;  // no node above has this number
    HEDDLE_ASSERT(nodes_[node].number == number);
    release(node);
  }
  in.end();
  if (!goes_on) close(above);
  HEDDLE_ASSERT_WHOLE(check());
  return above;
}

void RvfTree::clear() {
  nodes_.assign(1, {});
  free_.clear();
  ready_.clear();
}

std::string RvfTree::bytes() const {
  ByteWriter out;
  out.number(nodes_.size());
  for (const Shared& node : nodes_) {
    for (const uint64_t n : {uint64_t{node.above}, node.number, node.depth, uint64_t{node.open}}) out.number(n);
    out.text(node.rest);
  }
  out.number(items_);
  out.number(ready_.size());
  for (const auto& [place, item] : ready_) {
    for (const uint64_t n : {place.first, place.second, uint64_t{item.above}}) out.number(n);
    out.text(item.bytes);
  }
  return out.bytes();
}

void RvfTree::load(std::string_view bytes) {
  ByteReader in(bytes);
  nodes_.resize(in.count());
  for (Node i = 0; i < nodes_.size(); ++i) {
    Shared& node = nodes_[i];
    node.above = static_cast<Node>(in.number(nodes_.size()));
    node.number = in.number();
    node.depth = in.number();
    node.open = static_cast<uint32_t>(in.number());
    node.rest = in.text();
    if (i != kNone && node.open == 0) free_.push_back(i);
  }
  items_ = in.number();
  for (uint64_t n = in.count(); n > 0; --n) {
    const uint64_t depth = in.number();
    const uint64_t number = in.number();
    const auto above = static_cast<Node>(in.number(nodes_.size()));
    ready_.emplace(std::pair(depth, number), Item{in.text(), above});
  }
  in.end();
  if (const std::string broken = check(); !broken.empty()) throw std::runtime_error(broken);
}

std::string RvfTree::check() const {
  if (nodes_.empty()) return "there is no root";
  std::vector<uint32_t> below(nodes_.size());
  for (Node n = 1; n < nodes_.size(); ++n) {
    const Shared& node = nodes_[n];
    if (node.open == 0) continue;
    if (node.above != kNone && node.number <= nodes_[node.above].number) return "a node is above another one and below";
    ++below[node.above];
  }
  if (std::ranges::count(nodes_ | std::views::drop(1), 0u, &Shared::open) != std::ssize(free_))
    return "a node is neither free nor in use";
  for (const auto& [place, item] : ready_) ++below[item.above];
  for (Node n = 1; n < nodes_.size(); ++n) {
    if (below[n] > nodes_[n].open) return "something is below a node that is explored";
  }
  return {};
}

// Returns the node above what comes next.
WorkTree::Node RvfTree::add_level(Node above, std::string_view level) {
  ByteReader in(level);
  const bool is_choice = in.flag();
  const uint64_t depth = in.number();
  if (is_choice) {
    for (uint64_t n = in.count(); n > 0; --n) add_item(above, depth, in.text());
    return above;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<Node>(nodes_.size()));
    nodes_.emplace_back();
  }
  const Node node = free_.back();
  free_.pop_back();
  nodes_[node] = {.above = above, .number = in.number(), .depth = depth, .open = 1, .rest = {}};
  const bool has_signal = in.flag();
  for (uint64_t n = in.count(); n > 0; --n) add_item(node, depth, in.text());
  nodes_[node].rest = in.text();
  if (has_signal) release(node);
  return node;
}

void RvfTree::add_item(Node above, uint64_t depth, std::string bytes) {
  HEDDLE_ASSERT(!bytes.empty());
  ++nodes_[above].open;
  ready_.emplace(std::pair(depth, ++items_), Item{std::move(bytes), above});
}

// There is a signal: the rest of the node is to be explored.
void RvfTree::release(Node node) {
  std::string rest = std::exchange(nodes_[node].rest, {});
  if (!rest.empty()) add_item(nodes_[node].above, nodes_[node].depth, std::move(rest));
}

// Something right below it is explored.
void RvfTree::close(Node node) {
  while (node != kNone) {
    HEDDLE_ASSERT(nodes_[node].open > 0);
    if (--nodes_[node].open > 0) return;
    free_.push_back(node);
    node = std::exchange(nodes_[node], {}).above;
  }
}

}  // namespace heddle
