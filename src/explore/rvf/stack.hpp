// The nodes of RVF-SMC from the root to the current one, and what of them others may explore (rvf/tree.hpp).
//
// To show a stack costs the number of its nodes times that of their events. It is done about once a second.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "core/result.hpp"
#include "explore/request/request.hpp"
#include "explore/rvf/trace.hpp"

namespace heddle {

// A read that a thread stands before.
struct Candidate {
  ThreadId thread = kNoThread;
  Action action;
  Value base;
  bool signals = false;  // whether backtrack signals may be used
};

// Sources that are not told apart: all of a value, or just one.
struct Group {
  Value value;
  VscId only = kNoVscEvent;

  friend bool operator==(const Group&, const Group&) = default;
};

struct RvfNode {
  std::vector<VscId> trace;  // the witness, extended
  std::vector<Candidate> mutate;
  std::vector<VscId> sources;  // F_r
  std::vector<Group> groups;   // D_r
  std::vector<VscId> good;
  std::vector<VscId> witness;

  // What it began with.
  std::size_t size = 0;  // of X
  std::size_t ancestors = 0;
  std::vector<uint32_t> causal;
  // How far it has come: the candidate and the group, or the choice.
  std::size_t candidate = 0;
  std::size_t group = 0;
  ThreadId chooser = kNoThread;
  uint32_t choice = 0;
  uint32_t choices = 0;
};

// An item:
//   levels                       the stack above the part that belongs to it, as rvf/tree.hpp wants it (empty: none)
//   scope, depth                 of the part
//   candidate, group             its first ones; or the choice, and the thread that makes it
//   events                       of X: thread, result, good writes
//   trace
//   causal map
//   ancestors                    thread, location, whether there is a signal
class RvfStack : protected RvfTrace {
 protected:
  RvfStack(Machine& machine, const Request& request) : RvfTrace(machine), request_(request) {}

  // What an item is about.
  enum class Scope : uint8_t {
    node,        // all of it
    candidates,  // from one on
    group,
    choice,
  };
  static constexpr uint64_t kScopes = 4;

  static constexpr uint32_t kUndefined = 0xffffffff;
  static constexpr std::size_t kDeepest = 30'000;  // nodes one below the other, each on the stack

  bool is_part() const { return !request_.work.empty(); }
  // Others have what is left of the nodes at this depth.
  bool is_given(std::size_t depth) const { return depth < root_; }

  RvfNode& node_at(std::size_t depth);
  // The machine and the graph are at the node, with which something begins.
  void begin_node(RvfNode& node);

  struct Loaded {
    Scope scope;
    std::size_t depth;
  };
  // Brings the machine, the graph and all that is here to the node of the item, which says where to begin.
  Loaded load();
  // Tells of what was found, gives work away if another process has none, and shows what is left when it is asked.
  void share(std::size_t depth, const Result& so_far);
  bool shares() const { return request_.sharing != nullptr && request_.sharing->wants_all(); }
  // The part is explored.
  void tell_end() { tell(root_); }

  // There is, or may soon be, a write of t. (Lines 3 to 5.)
  void signal(ThreadId t, uint32_t var);

  // The causal map: a read must not read from events before this one.
  uint32_t& causal_of(ThreadId t);
  bool is_defined(ThreadId t) { return causal_of(t) != kUndefined; }

  struct Ancestor {
    ThreadId thread;
    uint32_t var;
    bool backtrack;
  };

  const Request request_;
  std::vector<Ancestor> ancestors_;

 private:
  void write_thread(ByteWriter& out, ThreadId t) const { out.number(static_cast<uint64_t>(machine_.path(t))); }
  ThreadId read_thread(ByteReader& in) { return machine_.thread_at(ThreadPath(in.number())); }
  std::string item(const RvfNode& node, Loaded part, std::size_t first, std::size_t group,
                   const std::string& levels = {}) const;
  std::string level(std::size_t depth) const;
  std::string levels(std::size_t from, std::size_t to) const;
  bool has_work(const RvfNode& node) const;
  void tell(std::size_t end);
  void load_events(ByteReader& in);
  bool stands_before(ThreadId t, ActionKind kind);

  std::vector<std::unique_ptr<RvfNode>> nodes_;  // by depth
  std::vector<uint32_t> causal_;
  std::size_t root_ = 0;    // nodes from this depth on are our own
  std::size_t shared_ = 0;  // ancestors of which others want to know
  // Not yet told.
  std::vector<std::size_t> signals_;  // ancestors
  std::string levels_;
};

}  // namespace heddle
