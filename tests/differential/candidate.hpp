// A candidate execution of a script: the execution so far and where each thread stands. The brute forces build
// these; how and in which order is theirs.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "machine/script/script.hpp"
#include "models/axioms/axioms.hpp"

namespace heddle::differential {

enum class Ending : uint8_t { complete, blocked, error, crowded };

// A full execution: no thread can take another step.
struct Full {
  const axioms::Execution& execution;
  const std::vector<ScriptThread>& threads;  // what their registers hold at the end
  Ending ending = Ending::complete;
  // The program itself can get stuck here: blocked, no false assume, and every thread that waits for a value has seen
  // the co-last write of its location.
  bool deadlock = false;
};

using OnFull = std::function<void(const Full&)>;

class Candidate {
 public:
  Candidate(const Script&, axioms::Model model);

  axioms::Execution execution;
  std::vector<ScriptThread> threads;
  bool crowded = false;  // more have arrived in a phase than there are places

  std::size_t thread_count() const { return threads.size(); }
  // What a thread will do next; nothing if it does not exist, waits for a value or a thread, or has stopped.
  std::optional<Action> next(std::size_t thread) const;
  // Whether a thread exists and has a false assume or a failed assertion before it.
  bool stopped(std::size_t thread, ActionKind why) const;

  // These do the next action of a thread. The location of an action is that of `order`.
  void store(std::size_t thread, std::size_t co_position);
  // The write of an rmw goes to co_position; a plain load or a failed cas ignores it.
  void read(std::size_t thread, int from, std::size_t co_position);
  // fence, create, join, exit, choose, arrive, leave
  void other(std::size_t thread, Value result);

  std::vector<int>& order(Address location) { return execution.co[script_location(location)]; }
  const std::vector<int>& order(Address location) const { return execution.co[script_location(location)]; }
  // Whether this action, reading this value, writes too.
  static bool writes(const Action&, Value read);

  Full full() const;
  // Equal for equal executions of one script, independent of the order of addition; shorter than axioms::canonical.
  std::string key(bool with_co) const;

 private:
  struct Progress {
    bool created = false;
    int count = 0;              // events so far
    int waits = axioms::kNone;  // the read that a waiting thread ended with
  };

  int add(std::size_t thread, axioms::Type type, Mode mode);
  int add_write(std::size_t thread, const Action&, Mode mode, Value value, std::size_t co_position);

  const Script* script_;
  axioms::Model model_;
  std::vector<Progress> progress_;
};

// Whether each cas that confirms a load reads from the same write (Action::confirms).
bool confirmed(const Script&, const axioms::Execution&);

}  // namespace heddle::differential
