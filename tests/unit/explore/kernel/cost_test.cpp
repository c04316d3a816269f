// What an event costs does not grow with the length of the execution.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "core/assert.hpp"
#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"

namespace heddle {
namespace {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

enum class Kind { loads, stores, both, rmws, mutex, fences };

Instruction access(ScriptOp op, unsigned location, Mode mode) {
  Instruction i;
  i.op = op;
  i.location = static_cast<uint8_t>(location);
  i.mode = i.fail_mode = mode;
  i.rmw = RmwOp::add;
  i.operand.constant = 1;
  return i;
}

// Two threads with so many accesses of a location of their own.
Script make_private(Kind kind, unsigned accesses, Mode mode) {
  Script s;
  s.threads.resize(3);
  for (unsigned t = 1; t <= 2; ++t) {
    s.locations.push_back({"x" + std::to_string(t), 0, kind == Kind::mutex});
    auto& code = s.threads[t];
    const auto add = [&](ScriptOp op, Mode m) { code.push_back(access(op, t - 1, m)); };
    const Mode load = mode == Mode::rel ? Mode::acq : mode;
    if (kind == Kind::loads) add(ScriptOp::store, mode);
    while (code.size() < accesses) {
      switch (kind) {
        case Kind::loads: add(ScriptOp::load, load); break;
        case Kind::stores: add(ScriptOp::store, mode); break;
        case Kind::both:
          add(ScriptOp::store, mode);
          add(ScriptOp::load, load);
          break;
        case Kind::rmws: add(ScriptOp::rmw, mode == Mode::na ? Mode::rlx : mode); break;
        case Kind::mutex:
          add(ScriptOp::lock, Mode::rlx);
          add(ScriptOp::unlock, Mode::rlx);
          break;
        case Kind::fences:
          add(ScriptOp::store, mode);
          add(ScriptOp::fence, Mode::sc);
          break;
      }
    }
  }
  for (const ScriptOp op : {ScriptOp::create, ScriptOp::join}) {
    for (uint8_t t = 1; t <= 2; ++t) {
      Instruction i;
      i.op = op;
      i.thread = t;
      s.threads[0].push_back(i);
    }
  }
  return s;
}

double cost(const Script& script, const Request& request) {
  ScriptMachine machine(script);
  const double start = cpu_seconds();
  const Result result = explore(machine, request);
  EXPECT_EQ(result.executions, 1u);
  EXPECT_EQ(result.verdict, Verdict::verified);
  return cpu_seconds() - start;
}

// Ten times the events at about ten times the cost; a hundred times would be too much. The machine may be
// busy with other things: the least of up to thirty runs counts.
bool grows(Kind kind, Mode mode, const Request& request) {
  const Script few = make_private(kind, 300, mode);
  const Script many = make_private(kind, 3000, mode);
  double least_few = 1e9, least_many = 1e9;
  for (int n = 0; n < 30; ++n) {
    least_few = std::min(least_few, cost(few, request));
    least_many = std::min(least_many, cost(many, request));
    if (n >= 2 && least_many < 40 * least_few) return false;
  }
  return true;
}

TEST(Cost, OfAnEventDoesNotGrow) {
#if HEDDLE_CHECKED
  GTEST_SKIP() << "the checks of invariants cost more";
#endif
  constexpr Kind kinds[] = {Kind::loads, Kind::stores, Kind::both, Kind::rmws, Kind::mutex, Kind::fences};
  for (const Algorithm algorithm : {Algorithm::spore, Algorithm::rcmc}) {
    for (const ModelKind model : kModels) {
      if (!why_not(algorithm, model).empty()) continue;
      for (const Kind kind : kinds) {
        for (const Mode mode : {Mode::na, Mode::rlx, Mode::rel, Mode::sc}) {
          Request request;
          request.algorithm = algorithm;
          request.model = model;
          request.races_ignore = mode == Mode::na;
          EXPECT_FALSE(grows(kind, mode, request))
              << name(model) << ", kind " << static_cast<int>(kind) << ", mode " << static_cast<int>(mode);
        }
      }
    }
  }
}

}  // namespace
}  // namespace heddle
