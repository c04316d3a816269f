// heddle_values: rvf reaches the local states that await reaches, and no others. A local state is what a thread has
// read and chosen in an execution, from its beginning to its end.
//
//   heddle_values FILE [-- CLANG ARGUMENTS]
//
// Exit status: 0 the same, 1 a difference, 2 something else went wrong.
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "explore/explore.hpp"
#include "frontend/compile.hpp"
#include "frontend/load/load.hpp"
#include "library/library.hpp"
#include "native/native.hpp"

namespace heddle {
namespace {

using States = std::set<std::string>;

class Collector : public Observer {
 public:
  States states;
  uint64_t executions = 0;

  void start_again() override { states.clear(); }
  void execution(const Graph& g, Machine& machine, bool complete) override {
    ++executions;
    for (const ThreadId t : machine.threads()) {
      ByteWriter out;
      out.number(static_cast<uint64_t>(machine.path(t)));
      out.number(complete);
      for (const EventId e : g.thread(t)) {
        if ((g[e].is_read() && !g[e].blocked) || g[e].kind == EventKind::choice) out.value(g[e].value);
      }
      states.insert(out.bytes());
    }
  }
};

Collector explored(NativeMachine& machine, Algorithm algorithm) {
  Collector collector;
  Request request;
  request.algorithm = algorithm;
  request.model = ModelKind::sc;
  request.races_ignore = true;
  request.await.commute = false;  // one order of what commutes would stand for values that rvf tells apart
  request.observer = &collector;
  const Result result = explore(machine, request);
  if (!result.limits.empty()) throw UserError("not everything was explored");
  for (const Finding& f : result.findings) collector.states.insert(std::string(name(f.error.kind)));
  return collector;
}

int run(int argc, char** argv) {
  std::vector<std::string> files(argv + 1, argv + argc);
  std::vector<std::string> clang_args;
  if (files.size() > 1 && files[1] == "--") clang_args.assign(files.begin() + 2, files.end());
  if (files.empty()) throw UserError("no file given");
  NativeOptions options;
  options.races_ignore = true;
  NativeMachine machine(load(compile({.files = {files[0]}, .clang_args = clang_args}), library::resolve), options);
  const Collector await = explored(machine, Algorithm::await);
  const Collector rvf = explored(machine, Algorithm::rvf);
  std::printf("await: %zu local states in %llu executions; rvf: %zu in %llu\n", await.states.size(),
              static_cast<unsigned long long>(await.executions), rvf.states.size(),
              static_cast<unsigned long long>(rvf.executions));
  if (await.states.empty()) throw UserError("nothing was compared");
  return await.states == rvf.states && rvf.executions <= await.executions ? 0 : 1;
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  try {
    return heddle::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "heddle_values: %s\n", e.what());
    return 2;
  }
}
