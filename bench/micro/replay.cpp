// What the native machine costs: nanoseconds per replayed and per performed action, per started thread, per restart.
// The program is written by hand against the runtime's entry points, so no compiler is involved.
#include <benchmark/benchmark.h>

#include <vector>

#include "image/entry_points.hpp"
#include "library/library.hpp"
#include "native/native.hpp"
#include "native/region.hpp"

namespace heddle {
namespace {

struct Globals {
  int counter;
  int plain;
};
Globals* globals;
int threads = 8;
int actions = 1;
bool plain = false;

using Function = void* (*)(void*);

void* thread_function(void*) {
  for (int i = 0; i < actions; ++i) {
    abi::__heddle_rmw(&globals->counter, 4, static_cast<int>(RmwOp::add), 1, static_cast<int>(Mode::rlx), 1);
  }
  return nullptr;
}

int program() {
  static auto* const create = reinterpret_cast<int (*)(unsigned long*, const void*, Function, void*)>(
      library::resolve("pthread_create").address);
  unsigned long handle = 0;
  if (plain) {
    for (int i = 0; i < actions; ++i) abi::__heddle_plain_store4(&globals->plain, i, 1);
  }
  for (int i = 0; i < threads; ++i) create(&handle, nullptr, thread_function, nullptr);
  if (plain) {
    for (int i = 0; i < actions; ++i) {
      abi::__heddle_plain_store4(&globals->plain, abi::__heddle_plain_load4(&globals->plain, 1) + 1, 1);
    }
  }
  return 0;
}

Image image() {
  if (globals == nullptr) globals = static_cast<Globals*>(region::map_image(sizeof(Globals)));
  Image image;
  image.main = reinterpret_cast<void*>(program);
  image.writable.push_back({reinterpret_cast<std::byte*>(globals), sizeof *globals});
  return image;
}

// One thread after the other.
struct Script {
  std::vector<std::vector<Step>> of;
  std::vector<uint32_t> clock = std::vector<uint32_t>(64, 1);

  explicit Script(NativeMachine& machine) {
    machine.restart();
    of.resize(static_cast<std::size_t>(threads) + 1);
    for (std::size_t t = 0; t < of.size(); ++t) {
      while (!is_final(machine.pending(ThreadId(t)).kind)) {
        const Action a = machine.pending(ThreadId(t));
        of[t].push_back({Value{}, clock, a.kind, a.addr});
        machine.perform(ThreadId(t), Value{}, clock);
      }
    }
  }
  int64_t size() const {
    int64_t n = 0;
    for (const auto& steps : of) n += static_cast<int64_t>(steps.size());
    return n;
  }
};

void set(const benchmark::State& state) {
  threads = static_cast<int>(state.range(0));
  actions = static_cast<int>(state.range(1));
  plain = false;
}

void report(benchmark::State& state, int64_t per_execution) {
  state.counters["ns/action"] =
      benchmark::Counter(static_cast<double>(per_execution) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void replay(benchmark::State& state) {
  set(state);
  NativeMachine machine(image());
  const Script script(machine);
  for (auto _ : state) {
    machine.restart();
    for (std::size_t t = 0; t < script.of.size(); ++t) machine.replay(ThreadId(t), script.of[t]);
  }
  report(state, script.size());
}
BENCHMARK(replay)->Args({1, 1})->Args({8, 1})->Args({8, 10})->Args({8, 100})->Args({32, 10});

void perform(benchmark::State& state) {
  set(state);
  NativeMachine machine(image());
  const Script script(machine);
  for (auto _ : state) {
    machine.restart();
    for (std::size_t t = 0; t < script.of.size(); ++t) {
      for (const Step& s : script.of[t]) machine.perform(ThreadId(t), s.result, s.clock);
    }
  }
  report(state, script.size());
}
BENCHMARK(perform)->Args({1, 1})->Args({8, 1})->Args({8, 10})->Args({8, 100});

// Plain reads and writes of one variable, alone and then beside other threads.
void plain_accesses(benchmark::State& state) {
  threads = 1;
  actions = static_cast<int>(state.range(0));
  plain = true;
  NativeMachine machine(image());
  const Script script(machine);
  for (auto _ : state) {
    machine.restart();
    for (std::size_t t = 0; t < script.of.size(); ++t) machine.replay(ThreadId(t), script.of[t]);
  }
  report(state, 4 * actions);
}
BENCHMARK(plain_accesses)->Arg(1000);

void restart(benchmark::State& state) {
  threads = 8;
  actions = 1;
  plain = false;
  NativeMachine machine(image());
  for (auto _ : state) machine.restart();
}
BENCHMARK(restart);

}  // namespace
}  // namespace heddle

BENCHMARK_MAIN();
