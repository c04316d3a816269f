#include "explore/rvf/stack.hpp"

#include <algorithm>
#include <utility>

#include "core/assert.hpp"

namespace heddle {
namespace {

std::string as_text(const std::string& bytes) {
  ByteWriter out;
  out.text(bytes);
  return out.bytes();
}

void write_ids(ByteWriter& out, std::span<const VscId> ids) {
  out.number(ids.size());
  for (const VscId e : ids) out.number(e == kInitialWrite ? 0 : uint64_t{e} + 1);
}

std::vector<VscId> read_ids(ByteReader& in) {
  std::vector<VscId> ids(in.count());
  for (VscId& e : ids) {
    const uint64_t n = in.number();
    e = n == 0 ? kInitialWrite : static_cast<VscId>(n - 1);
  }
  return ids;
}

}  // namespace

RvfNode& RvfStack::node_at(std::size_t depth) {
  if (nodes_.size() <= depth) nodes_.resize(depth + 1);
  if (nodes_[depth] == nullptr) nodes_[depth] = std::make_unique<RvfNode>();
  return *nodes_[depth];
}

void RvfStack::begin_node(RvfNode& node) {
  HEDDLE_ASSERT(trace_.size() == x_.size() && events_.size() == x_.size());
  node.trace = trace_;
  node.size = x_.size();
  node.ancestors = ancestors_.size();
  node.causal = causal_;
  node.chooser = kNoThread;
  node.candidate = node.group = 0;
}

uint32_t& RvfStack::causal_of(ThreadId t) {
  if (index(t) >= causal_.size()) causal_.resize(index(t) + 1, kUndefined);
  return causal_[index(t)];
}

void RvfStack::signal(ThreadId t, uint32_t var) {
  for (std::size_t i = 0; i < ancestors_.size(); ++i) {
    Ancestor& a = ancestors_[i];
    if (a.var != var || a.thread == t || a.backtrack) continue;
    a.backtrack = true;
    if (i < shared_) signals_.push_back(i);
  }
}

// Items.

// `first`: candidate or choice.
std::string RvfStack::item(const RvfNode& node, Loaded part, std::size_t first, std::size_t group,
                           const std::string& levels) const {
  ByteWriter out;
  out.text(levels);
  out.number(static_cast<uint64_t>(part.scope));
  for (const std::size_t n : {part.depth, first, group}) out.number(n);
  if (part.scope == Scope::choice) write_thread(out, node.chooser);
  out.number(node.size);
  for (VscId e = 0; e < node.size; ++e) {
    write_thread(out, ThreadId(x_[e].thread));
    out.value(events_[e].read);
    write_ids(out, x_.good(e));
  }
  write_ids(out, node.trace);
  out.number(static_cast<uint64_t>(std::ranges::count_if(node.causal, [](uint32_t n) { return n != kUndefined; })));
  for (std::size_t t = 0; t < node.causal.size(); ++t) {
    if (node.causal[t] == kUndefined) continue;
    write_thread(out, ThreadId(t));
    out.number(node.causal[t]);
  }
  // A group has its own read as an ancestor, but that is added when it is explored.
  out.number(node.ancestors);
  for (std::size_t i = 0; i < node.ancestors; ++i) {
    write_thread(out, ancestors_[i].thread);
    out.number(locations_.address(LocId(ancestors_[i].var)));
    out.number(ancestors_[i].backtrack);
  }
  return out.bytes();
}

RvfStack::Loaded RvfStack::load() {
  ByteReader in(request_.work);
  levels_ = in.text();
  const auto scope = static_cast<Scope>(in.number(kScopes));
  const std::size_t depth = in.number(kDeepest);
  const std::size_t first = in.number(UINT32_MAX);
  const std::size_t group = in.number(UINT32_MAX);
  const ThreadId chooser = scope == Scope::choice ? read_thread(in) : kNoThread;
  load_events(in);
  for (uint64_t n = in.count(); n > 0; --n) {
    uint32_t& causal = causal_of(read_thread(in));
    causal = static_cast<uint32_t>(in.number(UINT32_MAX));
  }
  for (uint64_t n = in.count(); n > 0; --n) {
    const ThreadId t = read_thread(in);
    const uint32_t var = var_of(in.number());
    ancestors_.push_back({t, var, in.flag()});
  }
  in.end();
  if (chooser != kNoThread && !stands_before(chooser, ActionKind::choose))
    throw std::runtime_error("there is no such choice");
  RvfNode& node = node_at(depth);
  begin_node(node);
  node.chooser = chooser;
  node.candidate = first;
  node.choice = static_cast<uint32_t>(first);
  node.group = group;
  root_ = depth + (scope == Scope::group || scope == Scope::choice);
  shared_ = ancestors_.size() + (scope == Scope::group);
  return {scope, depth};
}

bool RvfStack::stands_before(ThreadId t, ActionKind kind) {
  const auto threads = machine_.threads();
  return std::ranges::find(threads, t) != threads.end() && machine_.pending(t).kind == kind;
}

// The machine runs the interleaving once to know its actions.
void RvfStack::load_events(ByteReader& in) {
  struct Row {
    ThreadId thread;
    Value result;
    std::vector<VscId> good;
    Action action{};
    Value base{};
    bool done = false;
  };
  std::vector<Row> rows(in.count());
  for (Row& row : rows) {
    row.thread = read_thread(in);
    row.result = in.value();
    row.good = read_ids(in);
    const auto exists = [&](VscId w) { return w == kInitialWrite || w < rows.size(); };
    if (!std::ranges::all_of(row.good, exists)) throw std::runtime_error("there is no such write");
  }
  const std::vector<VscId> trace = read_ids(in);
  if (trace.size() != rows.size()) throw std::runtime_error("the interleaving is of other events");
  for (const VscId e : trace) {
    if (e >= rows.size() || std::exchange(rows[e].done, true)) throw std::runtime_error("an event comes twice");
    Row& row = rows[e];
    const auto threads = machine_.threads();
    if (std::ranges::find(threads, row.thread) == threads.end()) throw std::runtime_error("there is no such thread");
    row.action = machine_.pending(row.thread);
    if (is_final(row.action.kind)) throw std::runtime_error("a thread has come to its end");
    if (is_access(row.action.kind)) {
      const LocId l = graph_.location(row.action.addr);
      row.base = graph_.seen(l) ? graph_.base(l) : machine_.base(row.action.addr, row.action.size);
      const bool finds = graph_.seen(l) ? graph_.value_of(l, graph_.co_last(l)) == row.result : row.base == row.result;
      if (is_read(row.action.kind) && !finds) throw std::runtime_error("a read finds something else");
    }
    add_to_graph(row.thread, row.action, row.result, row.base);
    machine_.perform(row.thread, row.result, graph_.hb(graph_.last(row.thread)));
  }
  clear_graph();
  for (const Row& row : rows) add_event(row.thread, row.action, row.result, row.base, row.good);
  arrange(trace);
  follow_graph();
}

// Others.

bool RvfStack::has_work(const RvfNode& node) const {
  if (node.chooser != kNoThread) return node.choice + 1 < node.choices;
  return node.group + 1 < node.groups.size() ||
         (node.candidate + 1 < node.mutate.size() && ancestors_[node.ancestors].backtrack);
}

// What is left of a node, as rvf/tree.hpp wants it.
std::string RvfStack::level(std::size_t depth) const {
  const RvfNode& node = *nodes_[depth];
  const bool is_choice = node.chooser != kNoThread;
  ByteWriter out;
  out.number(is_choice);
  out.number(depth);
  if (is_choice) {
    out.number(node.choices - node.choice - 1);
    for (uint32_t c = node.choice + 1; c < node.choices; ++c) out.text(item(node, {Scope::choice, depth}, c, 0));
    return out.bytes();
  }
  HEDDLE_ASSERT(node.ancestors < ancestors_.size() && node.group < node.groups.size());
  out.number(node.ancestors);
  out.number(ancestors_[node.ancestors].backtrack);
  out.number(node.groups.size() - node.group - 1);
  for (std::size_t g = node.group + 1; g < node.groups.size(); ++g)
    out.text(item(node, {Scope::group, depth}, node.candidate, g));
  const bool more = node.candidate + 1 < node.mutate.size();
  out.text(more ? item(node, {Scope::candidates, depth}, node.candidate + 1, 0) : "");
  return out.bytes();
}

std::string RvfStack::levels(std::size_t from, std::size_t to) const {
  std::string all;
  for (std::size_t d = from; d < to; ++d) all += as_text(level(d));
  return all;
}

// Gives the levels before `end` away.
void RvfStack::tell(std::size_t end) {
  HEDDLE_ASSERT(end >= root_ && end <= nodes_.size());
  if (!is_part() || request_.sharing == nullptr) return;
  ByteWriter told;
  told.text(std::exchange(levels_, {}) + levels(root_, end));
  for (; root_ < end; ++root_) {
    const RvfNode& node = *nodes_[root_];
    if (node.chooser == kNoThread) shared_ = node.ancestors + 1;
  }
  told.number(signals_.size());
  for (const std::size_t i : signals_) told.number(i);
  signals_.clear();
  request_.sharing->tell(told.bytes());
}

void RvfStack::share(std::size_t depth, const Result& so_far) {
  HEDDLE_ASSERT(request_.sharing != nullptr);
  const bool others_wait = request_.sharing->others_wait();
  std::vector<std::size_t> open;
  for (std::size_t d = root_; d < depth && others_wait; ++d) {
    if (has_work(*nodes_[d])) open.push_back(d);
  }
  tell(open.empty() ? root_ : open[(open.size() - 1) / 2] + 1);
  request_.sharing->look(so_far, {item(*nodes_[depth], {Scope::node, depth}, 0, 0, levels(root_, depth))});
}

}  // namespace heddle
