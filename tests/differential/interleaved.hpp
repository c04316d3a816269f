// A script on sequentially consistent memory, step by step: memory is an array, and an await is a step that is not
// there until its condition holds. Nothing of the explorers is used here, nor of execution graphs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "explore/explore.hpp"
#include "machine/script/script.hpp"
#include "machine/script/script_machine.hpp"

namespace heddle::differential {

// A step of an interleaving.
struct Done {
  std::size_t thread;
  Action action;
  Value result;
};

bool writes(const Done&);

// Forms of interleavings, by how they end.
struct Forms {
  std::set<std::string> complete;
  std::set<std::string> blocked;  // without deadlocks
  std::set<std::string> deadlocks;
  std::set<std::string> errors;

  uint64_t size() const { return complete.size() + blocked.size() + deadlocks.size() + errors.size(); }
};

// What some interleaving of a script has.
struct Seen {
  bool blocked = false, error = false, deadlock = false, race = false;
};

class Interleaved {
 public:
  explicit Interleaved(const Script&);

  std::size_t threads() const { return threads_.size(); }
  bool created(std::size_t t) const { return created_[t]; }
  Action pending(std::size_t t) const { return script_action(*script_, ThreadId(t), threads_[t]); }
  bool enabled(std::size_t t) const;
  Value value(Address addr) const { return memory_[script_location(addr)]; }
  const std::vector<Value>& memory() const { return memory_; }

  // Performs the pending action of t; `choice` is the result if it is a choice.
  Done step(std::size_t t, uint64_t choice);

  // Nobody can go on: where its form belongs.
  std::set<std::string>& end_among(Forms&) const;

 private:
  struct Meeting {
    uint64_t phase = 0, places = 0, arrived = 0, dropped = 0;
  };

  uint64_t arrive(const Action&);

  const Script* script_;
  std::vector<ScriptThread> threads_;
  std::vector<bool> created_;
  std::vector<Value> memory_;
  std::vector<Meeting> meetings_;  // by location
};

// The interleaving that a graph shows, event by event; empty `wrong` iff each read finds the last value.
std::vector<Done> steps_of(const Graph&, const Script&, std::string& wrong);

bool has_found(const Result&, std::initializer_list<ErrorKind>);

// On sc, all errors; races are none.
Request sc_request(Algorithm);

}  // namespace heddle::differential
