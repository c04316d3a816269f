// Races among plain accesses, byte for byte, and between plain accesses and actions.
#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

ThreadFunction first = nullptr;
ThreadFunction second = nullptr;

int both() {
  spawn(first);
  spawn(second);
  return 0;
}

// The outcome of two threads, the first one running first; both orders must agree.
struct Outcome {
  bool race = false;
  Error error;
};
Outcome outcome(ThreadFunction f, ThreadFunction g, bool record = false, Main main = both) {
  Outcome result[2];
  for (const int order : {0, 1}) {
    first = f;
    second = g;
    World w(main);
    w.machine.record_sites(record);
    w.restart();
    w.run(kMain);
    w.run(order == 0 ? T1 : T2);
    if (!w.failed()) w.run(order == 0 ? T2 : T1);
    if (!w.failed()) continue;
    result[order] = {true, w.error()};
    EXPECT_EQ(w.error().kind, ErrorKind::race) << w.error().message;
  }
  EXPECT_EQ(result[0].race, result[1].race) << result[0].error.message << result[1].error.message;
  return result[0];
}

void* write_a(void*) {
  write(globals().a, 1, 11);
  return nullptr;
}
void* read_a(void*) {
  read(globals().a, 12);
  return nullptr;
}
void* write_b(void*) {
  write(globals().b, 1, 13);
  return nullptr;
}

TEST(Race, WriteWrite) { EXPECT_TRUE(outcome(write_a, write_a).race); }
TEST(Race, WriteRead) { EXPECT_TRUE(outcome(write_a, read_a).race); }
TEST(Race, ReadRead) { EXPECT_FALSE(outcome(read_a, read_a).race); }
TEST(Race, DifferentVariables) { EXPECT_FALSE(outcome(write_a, write_b).race); }

TEST(Race, ReportNamesBothParties) {
  const Outcome o = outcome(write_a, read_a, true);
  ASSERT_TRUE(o.race);
  EXPECT_EQ(o.error.thread, T2);
  EXPECT_EQ(o.error.site, SiteId(12));
  EXPECT_EQ(o.error.other_thread, T1);
  EXPECT_EQ(o.error.other_site, SiteId(11));
  EXPECT_NE(o.error.message.find("data race on a"), std::string::npos) << o.error.message;
}

TEST(Race, NeighbouringBytesAreNoRace) {
  const ThreadFunction zero = [](void*) -> void* {
    __heddle_plain_store1(globals().bytes, 1, 0);
    return nullptr;
  };
  const ThreadFunction one = [](void*) -> void* {
    __heddle_plain_store1(globals().bytes + 1, 1, 0);
    return nullptr;
  };
  const ThreadFunction four = [](void*) -> void* {
    __heddle_plain_load4(globals().bytes + 1, 0);
    return nullptr;
  };
  const ThreadFunction unaligned = [](void*) -> void* {
    __heddle_plain_store8(globals().bytes + 5, 1, 0);
    return nullptr;
  };
  EXPECT_FALSE(outcome(zero, one).race);
  EXPECT_FALSE(outcome(zero, four).race);
  EXPECT_TRUE(outcome(one, four).race);
  EXPECT_FALSE(outcome(four, unaligned).race);
  EXPECT_FALSE(outcome(one, unaligned).race);
}

TEST(Race, LastByteOfARangeCounts) {
  const ThreadFunction last = [](void*) -> void* {
    __heddle_plain_store1(globals().bytes + 40, 1, 0);
    return nullptr;
  };
  const ThreadFunction up_to = [](void*) -> void* {
    __heddle_memset(globals().bytes, 0, 40, 0);
    return nullptr;
  };
  const ThreadFunction including = [](void*) -> void* {
    __heddle_memset(globals().bytes, 0, 41, 0);
    return nullptr;
  };
  EXPECT_FALSE(outcome(last, up_to).race);
  EXPECT_TRUE(outcome(last, including).race);
}

TEST(Race, SharedReadsThenAWrite) {
  static ThreadFunction reader = [](void*) -> void* {
    read(globals().a, 21);
    return nullptr;
  };
  const Main program = [] {
    const auto x = spawn(reader);
    const auto y = spawn(reader);
    const auto z = spawn(reader);
    join(x);
    if (globals().d == 1) join(y);
    join(z);
    write(globals().a, 1, 22);
    return 0;
  };
  for (const int join_all : {0, 1}) {
    globals().d = join_all;
    World w(program);
    w.machine.record_sites(true);
    w.restart();
    w.run(kMain);
    for (const ThreadId t : {T3, T1, T2}) w.run(t);
    w.run(kMain);
    EXPECT_EQ(w.failed(), join_all == 0);
    if (join_all == 0) {
      EXPECT_EQ(w.error().other_thread, T2);
      EXPECT_EQ(w.error().other_site, SiteId(21));
    }
  }
  globals().d = 0;
}

// Bytes that were read together may later be read apart; their reader sets must not be mixed up.
TEST(Race, ReaderSetsAreKeptPerByte) {
  static const auto four = [](void*) -> void* {
    __heddle_plain_load4(globals().bytes, 0);
    return nullptr;
  };
  static const auto one = [](void*) -> void* {
    __heddle_plain_load1(globals().bytes + 2, 0);
    return nullptr;
  };
  World w([] {
    const auto x = spawn(four);
    const auto y = spawn(four);
    spawn(one);
    join(x);
    join(y);
    __heddle_plain_store2(globals().bytes, 0, 0);      // ordered after the readers of bytes 0 and 1
    __heddle_plain_store1(globals().bytes + 3, 0, 0);  // and 3
    __heddle_plain_store1(globals().bytes + 2, 0, 8);  // but T3 has read byte 2
    return 0;
  });
  w.run(kMain);
  for (const ThreadId t : {T1, T2, T3}) w.run(t);
  w.run(kMain);
  ASSERT_TRUE(w.failed());
  EXPECT_EQ(w.error().site, SiteId(8));
  EXPECT_EQ(w.error().other_thread, T3);
}

void* publish(void*) {
  write(globals().a, 1, 31);
  store(globals().b, 1, rel(), 32);
  return nullptr;
}
void* publish_weakly(void*) {
  write(globals().a, 1, 31);
  store(globals().b, 1, rlx(), 32);
  return nullptr;
}
void* consume(void*) {
  if (load(globals().b, acq(), 33) == 1) read(globals().a, 34);
  return nullptr;
}

TEST(Race, ReleaseAcquireOrders) { EXPECT_FALSE(outcome(publish, consume).race); }

TEST(Race, RelaxedDoesNotOrder) {
  first = publish_weakly;
  second = consume;
  World w(both);
  w.run_all();
  ASSERT_TRUE(w.failed());
  EXPECT_EQ(w.error().site, SiteId(34));
}

TEST(Race, CreateAndJoinOrder) {
  World w([] {
    write(globals().a, 1);
    join(spawn([](void*) -> void* {
      read(globals().a);
      write(globals().a, 2);
      return nullptr;
    }));
    EXPECT_EQ(read(globals().a), 2);
    join(spawn(write_a));
    return read(globals().a) - 1;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
}

TEST(Race, AfterTheCreateNothingOrders) {
  World w([] {
    spawn(write_a);
    write(globals().a, 1, 41);
    return 0;
  });
  w.run_all();
  EXPECT_EQ(w.error().kind, ErrorKind::race);
}

// Plain accesses against actions. What the machine does natively it checks itself; what becomes an action is offered
// as one, for the explorer to check.
TEST(Race, EarlierPlainAccessesAgainstAnAction) {
  const ThreadFunction plain_write = write_a;
  const ThreadFunction atomic_store = [](void*) -> void* {
    store(globals().a, 1, sc(), 51);
    return nullptr;
  };
  const ThreadFunction atomic_load = [](void*) -> void* {
    load(globals().a, sc(), 52);
    return nullptr;
  };
  const auto in_order = [](ThreadFunction f, ThreadFunction g) {
    first = f;
    second = g;
    World w(both);
    w.run(kMain);
    w.run(T1);
    w.run(T2);
    return w.failed() && w.error().kind == ErrorKind::race;
  };
  EXPECT_TRUE(in_order(plain_write, atomic_store));
  EXPECT_TRUE(in_order(plain_write, atomic_load));
  EXPECT_TRUE(in_order(read_a, atomic_store));
  EXPECT_FALSE(in_order(read_a, atomic_load));
}

TEST(Race, PlainAccessesAfterActionsAreActions) {
  const ThreadFunction atomic_store = [](void*) -> void* {
    store(globals().a, 1, sc(), 51);
    return nullptr;
  };
  const ThreadFunction atomic_load = [](void*) -> void* {
    load(globals().a, sc(), 52);
    return nullptr;
  };
  const auto next = [](ThreadFunction f, ThreadFunction g) {
    first = f;
    second = g;
    World w(both);
    w.run(kMain);
    w.run(T1);
    return w.pending(T2);
  };
  EXPECT_EQ(next(atomic_store, write_a).kind, ActionKind::store);
  EXPECT_EQ(next(atomic_store, write_a).mode, Mode::na);
  EXPECT_EQ(next(atomic_store, read_a).kind, ActionKind::load);
  EXPECT_EQ(next(atomic_store, read_a).mode, Mode::na);
  EXPECT_EQ(next(atomic_load, write_a).kind, ActionKind::store);
  EXPECT_EQ(next(atomic_load, read_a).kind, ActionKind::exit);
}

TEST(Race, ManyThreadsShareReads) {
  World w([] {
    for (int i = 0; i < 40; ++i) spawn(read_a);
    write(globals().a, 1, 61);
    return 0;
  });
  for (int i = 1; i <= 39; ++i) w.step(kMain);
  for (int i = 1; i <= 39; ++i) w.run(ThreadId(i));
  EXPECT_FALSE(w.failed());
  w.step(kMain);  // the last create, and on to the write
  EXPECT_TRUE(w.failed());
  EXPECT_EQ(w.error().site, SiteId(61));
}

// A read that would make its thread wait is not performed; whether it is an error is asked beforehand.
TEST(Race, AReadIsCheckedWithoutBeingPerformed) {
  const auto fails = [](ThreadFunction before, std::vector<uint32_t> clock) {
    first = before;
    second = [](void*) -> void* {
      load(globals().a, acq(), 72);
      return nullptr;
    };
    World w(both);
    w.run(kMain);
    w.run(T1);
    const bool result = w.machine.fails(T2, clock);
    EXPECT_EQ(w.pending(T2).kind, ActionKind::load);  // nothing has changed
    w.machine.perform(T2, {}, clock);
    EXPECT_EQ(w.pending(T2).kind == ActionKind::error, result);
    return result;
  };
  EXPECT_TRUE(fails(write_a, {2, 0, 1}));   // T1's write is not in the clock
  EXPECT_FALSE(fails(write_a, {2, 1, 1}));  // it is: T1's exit has been acquired
  EXPECT_FALSE(fails(read_a, {2, 0, 1}));
  EXPECT_FALSE(fails(write_b, {2, 0, 1}));
}

}  // namespace
}  // namespace heddle::test
