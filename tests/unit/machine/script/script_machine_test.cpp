#include "machine/script/script_machine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "script/script_text.hpp"

namespace {
std::size_t allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace heddle {
namespace {

constexpr ThreadId kOne{1};
constexpr ThreadId kTwo{2};

ScriptMachine machine(const char* text) { return ScriptMachine(parse_script(text)); }

void perform(ScriptMachine& m, ThreadId t, uint64_t result = 0) { m.perform(t, {result, 0}, {}); }

TEST(ScriptMachine, RunsAThreadFromStartToExit) {
  ScriptMachine m = machine("main: x = 1 rel; r2 = x acq");
  EXPECT_EQ(m.threads().size(), 1u);
  const Action& a = m.pending(kMain);
  EXPECT_EQ(a.kind, ActionKind::store);
  EXPECT_EQ(a.mode, Mode::rel);
  EXPECT_EQ(a.size, 8);
  EXPECT_EQ(a.operand.lo, 1u);
  EXPECT_EQ(m.describe(a.addr), "x");
  perform(m, kMain);
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::load);
  perform(m, kMain, 1);
  EXPECT_EQ(m.state(kMain).reg[2], 1u);
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::exit);
  perform(m, kMain);
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::done);
}

TEST(ScriptMachine, CreatesThreadsByTheirNumber) {
  ScriptMachine m = machine("main: create 2; create 1; join 2 || x = 1 rlx || x = 2 rlx");
  EXPECT_EQ(m.pending(kMain).child, kTwo);
  perform(m, kMain);
  perform(m, kMain);
  ASSERT_EQ(m.threads().size(), 3u);
  EXPECT_EQ(m.threads()[1], kTwo);
  EXPECT_EQ(m.parent(kTwo), kMain);
  EXPECT_EQ(m.parent(kMain), kNoThread);
  EXPECT_EQ(m.name(kTwo), "T2");
  EXPECT_EQ(m.pending(kOne).operand.lo, 1u);
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::join);
  m.restart();
  EXPECT_EQ(m.threads().size(), 1u);
}

TEST(ScriptMachine, LocksAreTheActionsOfTheContract) {
  ScriptMachine m = machine("main: create 1; join 1 || lock m; unlock m; r1 = trylock m");
  perform(m, kMain);
  const Action lock = m.pending(kOne);
  EXPECT_EQ(lock.kind, ActionKind::cas);
  EXPECT_EQ(lock.await, Await::equal);
  EXPECT_EQ(lock.expected.lo, 0u);
  EXPECT_EQ(lock.operand.lo, 2u);
  EXPECT_EQ(lock.mode, Mode::acq);
  EXPECT_EQ(lock.purpose, Purpose::mutex_lock);
  perform(m, kOne);
  const Action unlock = m.pending(kOne);
  EXPECT_EQ(unlock.kind, ActionKind::store);
  EXPECT_EQ(unlock.operand.lo, 0u);
  EXPECT_EQ(unlock.mode, Mode::rel);
  EXPECT_EQ(unlock.purpose, Purpose::mutex_unlock);
  perform(m, kOne);
  const Action trylock = m.pending(kOne);
  EXPECT_EQ(trylock.kind, ActionKind::cas);
  EXPECT_EQ(trylock.await, Await::none);
  EXPECT_EQ(trylock.fail_mode, Mode::rlx);
  perform(m, kOne, 7);  // held by somebody
  EXPECT_EQ(m.state(kOne).reg[1], 1u);
}

TEST(ScriptMachine, AnUnsatisfiedAwaitStaysPending) {
  ScriptMachine m = machine("main: r0 = x acq until == 2; r1 = add x 1 rlx until != 0");
  perform(m, kMain, 1);
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::load);
  EXPECT_EQ(m.state(kMain).reg[0], 0u);
  perform(m, kMain, 2);
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::rmw);
  EXPECT_EQ(m.pending(kMain).await, Await::not_equal);
  perform(m, kMain, 0);
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::rmw);
}

TEST(ScriptMachine, BranchesOnRegisters) {
  ScriptMachine m = machine("main: r0 = choose 2; if r0 == 1 skip 2; x = 1 rlx; x = 2 rlx; x = 3 rlx");
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::choose);
  EXPECT_EQ(m.pending(kMain).bound, 2u);
  perform(m, kMain, 1);
  EXPECT_EQ(m.pending(kMain).operand.lo, 3u);
  m.restart();
  perform(m, kMain, 0);
  EXPECT_EQ(m.pending(kMain).operand.lo, 1u);
}

TEST(ScriptMachine, CalculatesBetweenActions) {
  ScriptMachine m = machine(
      "main: r1 = set sub 3 5; r0 = x rlx; r2 = set mul r0 r1; r15 = set lt r2 0; if r15 == 0 skip 1; x = r2+1 rlx");
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::load);
  EXPECT_EQ(m.state(kMain).reg[1], static_cast<uint64_t>(-2));
  perform(m, kMain, 4);
  EXPECT_EQ(m.pending(kMain).operand.lo, static_cast<uint64_t>(-7));
  EXPECT_EQ(m.state(kMain).reg[15], 1u);
  m.restart();
  perform(m, kMain, 0);
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::exit);
}

TEST(ScriptMachine, ExpectsWhatARegisterHolds) {
  ScriptMachine m = machine("main: r0 = x rlx; r1 = cas x r0+1 r0+2 sc rlx");
  perform(m, kMain, 5);
  EXPECT_EQ(m.pending(kMain).expected.lo, 6u);
  EXPECT_EQ(m.pending(kMain).operand.lo, 7u);
}

TEST(Calculation, IsSignedAndAlwaysDefined) {
  constexpr uint64_t kMin = UINT64_C(1) << 63;
  constexpr auto kMinus = [](uint64_t n) { return -n; };
  EXPECT_EQ(calculate(Calculation::div, kMinus(7), 2), kMinus(3));
  EXPECT_EQ(calculate(Calculation::mod, kMinus(7), 2), kMinus(1));
  EXPECT_EQ(calculate(Calculation::div, 7, 0), 0u);
  EXPECT_EQ(calculate(Calculation::mod, 7, 0), 0u);
  EXPECT_EQ(calculate(Calculation::div, kMin, kMinus(1)), kMin);
  EXPECT_EQ(calculate(Calculation::mod, kMin, kMinus(1)), 0u);
  EXPECT_EQ(calculate(Calculation::shr, kMinus(8), 1), kMinus(4));
  EXPECT_EQ(calculate(Calculation::shl, 1, 65), 2u);
  EXPECT_EQ(calculate(Calculation::lt, kMinus(1), 0), 1u);
  EXPECT_EQ(calculate(Calculation::le, 0, kMinus(1)), 0u);
  EXPECT_EQ(calculate(Calculation::mul, kMinus(3), 4), kMinus(12));
}

TEST(ScriptMachine, OperandsUseRegisters) {
  ScriptMachine m = machine("main: r3 = x rlx; x = r3+2 rlx; r0 = cas x 5 r3 sc acq");
  perform(m, kMain, 40);
  EXPECT_EQ(m.pending(kMain).operand.lo, 42u);
  perform(m, kMain);
  EXPECT_EQ(m.pending(kMain).operand.lo, 40u);
  EXPECT_EQ(m.pending(kMain).expected.lo, 5u);
  EXPECT_EQ(m.pending(kMain).fail_mode, Mode::acq);
}

TEST(ScriptMachine, StopsAtAssumeAndAssert) {
  ScriptMachine m = machine("main: r0 = x rlx; assume r0 != 0; assert r0 == 2");
  perform(m, kMain, 0);
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::block);
  EXPECT_EQ(m.pending(kMain).reason, BlockReason::assume);
  m.restart();
  perform(m, kMain, 1);
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::error);
  EXPECT_EQ(m.error(kMain).kind, ErrorKind::assertion);
  EXPECT_EQ(m.error(kMain).thread, kMain);
  EXPECT_EQ(m.error(kMain).site, script_site(m.script(), kMain, 2));
  m.restart();
  perform(m, kMain, 2);
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::exit);
}

TEST(ScriptMachine, MayFailBeforeItsFirstAction) {
  ScriptMachine m = machine("main: assert r0 == 1");
  EXPECT_EQ(m.pending(kMain).kind, ActionKind::error);
}

TEST(ScriptMachine, KnowsTheInitialValues) {
  ScriptMachine m = machine("{y=9} main: r0 = x rlx; r0 = y rlx");
  perform(m, kMain, 0);
  EXPECT_EQ(m.base(m.pending(kMain).addr, 8).lo, 9u);
}

TEST(ScriptMachine, ReplayChecksWhatItReplays) {
  ScriptMachine m = machine("main: r0 = x rlx; fence sc; y = r0 rlx");
  const Address x = m.pending(kMain).addr;
  const Step good[] = {{{3, 0}, {}, ActionKind::load, x}, {{}, {}, ActionKind::fence, 0}};
  m.replay(kMain, good);
  EXPECT_EQ(m.pending(kMain).operand.lo, 3u);
  m.restart();
  const Step bad_kind[] = {{{}, {}, ActionKind::store, x}};
  EXPECT_THROW(m.replay(kMain, bad_kind), UserError);
  const Step bad_address[] = {{{}, {}, ActionKind::load, x + 8}};
  EXPECT_THROW(m.replay(kMain, bad_address), UserError);
}

TEST(ScriptMachine, RefusesRegistersThatAreNotThere) {
  Script s = parse_script("main: r0 = set add r1 r2");
  s.threads[0][0].second_reg = kScriptRegisters;
  EXPECT_EQ(problem(s), "no such register");
  s = parse_script("main: r0 = x rlx");
  s.threads[0][0].second_reg = 1;
  EXPECT_EQ(problem(s), "a register where none is used");
}

TEST(ScriptMachine, RefusesABadScript) { EXPECT_THROW(ScriptMachine(Script{}), UserError); }

TEST(ScriptMachine, StepsAllocateNothing) {
  ScriptMachine m =
      machine("main: create 1; lock m; x = 1 rlx; unlock m; join 1 || lock m; r0 = add x 1 rlx; unlock m");
  const auto run = [&] {
    m.restart();
    for (const ThreadId t : {kMain, kOne, kMain}) {
      while (!is_final(m.pending(t).kind) &&
             (m.pending(t).kind != ActionKind::join || !is_final(m.pending(kOne).kind))) {
        if (t == kMain && m.pending(t).kind == ActionKind::join) break;
        perform(m, t);
      }
    }
  };
  const std::size_t before = allocations;
  run();
  run();
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace heddle
