// heddle_states: a program is explored by rvf and by await, with plain accesses as events. What the threads read, all
// together, must come out the same in both: the same value functions of complete executions, and of blocked ones.
//
//   heddle_states FILE [-- CLANG ARGUMENTS]
//
// Exit status: 0 the same, 1 a difference, 2 something else went wrong.
#include <cstdio>
#include <exception>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "explore/explore.hpp"
#include "frontend/compile.hpp"
#include "frontend/load/load.hpp"
#include "library/library.hpp"
#include "native/native.hpp"

namespace heddle {
namespace {

class States : public Observer {
 public:
  std::set<std::string> functions;
  uint64_t executions = 0;

  void start_again() override {
    functions.clear();
    executions = 0;
  }
  void execution(const Graph& g, Machine&, bool complete) override {
    std::string text = complete ? "complete" : "blocked";
    for (std::size_t t = 0; t < g.thread_count(); ++t) {
      text += "\n  thread " + std::to_string(t) + ":";
      for (const EventId id : g.thread(ThreadId(t))) {
        const Event& e = g[id];
        if (e.blocked || !(e.is_read() || e.kind == EventKind::choice)) continue;
        text += " " + std::to_string(static_cast<unsigned>(e.site)) + "=" + std::to_string(e.value.lo);
        if (e.value.hi != 0) text += ":" + std::to_string(e.value.hi);
      }
    }
    functions.insert(std::move(text));
    ++executions;
  }
};

// Every error counts, by its kind.
States explore_with(Algorithm algorithm, const std::string& file, const std::vector<std::string>& clang_args) {
  NativeOptions options;
  options.races_ignore = true;
  NativeMachine machine(load(compile({.files = {file}, .clang_args = clang_args}), library::resolve), options);
  States states;
  Request request;
  request.algorithm = algorithm;
  request.model = ModelKind::sc;
  request.races_ignore = true;
  request.keep_going = true;
  request.await.commute = false;
  request.observer = &states;
  const Result result = explore(machine, request);
  for (const Finding& f : result.findings) states.functions.insert("error " + std::string(name(f.error.kind)));
  return states;
}

bool has_all(const char* name, const States& states, const States& others) {
  for (const std::string& f : others.functions) {
    if (states.functions.contains(f)) continue;
    std::printf("not found by %s: %s\n", name, f.c_str());
    return false;
  }
  return true;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw UserError("no file given");
  const std::vector<std::string> clang_args(arguments.begin() + (arguments.size() > 1 ? 2 : 1), arguments.end());
  const States rvf = explore_with(Algorithm::rvf, arguments[0], clang_args);
  const States await = explore_with(Algorithm::await, arguments[0], clang_args);
  std::printf("%zu value functions; executions: rvf %llu, await %llu\n", await.functions.size(),
              static_cast<unsigned long long>(rvf.executions), static_cast<unsigned long long>(await.executions));
  if (await.functions.empty() || rvf.executions > await.executions) return 2;
  return has_all("rvf", rvf, await) && has_all("await", await, rvf) ? 0 : 1;
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  try {
    return heddle::run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "heddle_states: %s\n", e.what());
    return 2;
  }
}
