// The race detector against a reference that remembers every access to every byte: random threads of plain accesses of
// all sizes and alignments, release stores and acquire loads, in random schedules.
#include <algorithm>
#include <random>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

constexpr unsigned kBytes = 24;
constexpr unsigned kThreads = 4;  // main among them

struct Operation {
  enum Kind { read, write, fill, copy, acquire, release } kind;
  unsigned at;
  unsigned size;
};

struct Access {
  unsigned thread;
  unsigned at;
  unsigned size;
  bool writes;
};

std::vector<Operation> program[kThreads + 1];  // the last: of main, after some joins
unsigned joined_early;                         // a bit per thread
Access accesses[1024];                         // in the order of execution, each noted before it is tried
unsigned access_count;

void note(unsigned thread, unsigned at, unsigned size, bool writes) {
  accesses[access_count++] = {thread, at, size, writes};
}

void plain(unsigned thread, const Operation& o) {
  char* const p = globals().bytes + o.at;
  note(thread, o.at, o.size, o.kind != Operation::read);
  const bool load = o.kind == Operation::read;
  switch (o.size) {
    case 1: load ? static_cast<void>(__heddle_plain_load1(p, 0)) : __heddle_plain_store1(p, 1, 0); break;
    case 2: load ? static_cast<void>(__heddle_plain_load2(p, 0)) : __heddle_plain_store2(p, 1, 0); break;
    case 4: load ? static_cast<void>(__heddle_plain_load4(p, 0)) : __heddle_plain_store4(p, 1, 0); break;
    case 8: load ? static_cast<void>(__heddle_plain_load8(p, 0)) : __heddle_plain_store8(p, 1, 0); break;
    default: __heddle_memset(p, 1, o.size, 0); break;
  }
}

void run(unsigned thread, const std::vector<Operation>& operations) {
  for (const Operation& o : operations) {
    if (o.kind == Operation::acquire) {
      __heddle_load(&globals().wide[o.at % 2], 8, acq(), 0);
    } else if (o.kind == Operation::release) {
      __heddle_store(&globals().wide[o.at % 2], 8, thread, rel(), 0);
    } else if (o.kind == Operation::copy) {
      note(thread, o.at, o.size, false);
      note(thread, kBytes + o.at, o.size, true);
      __heddle_memcpy(globals().bytes + kBytes + o.at, globals().bytes + o.at, o.size, 0);
    } else {
      plain(thread, o);
    }
  }
}

void* start(void* thread) {
  const auto t = static_cast<unsigned>(reinterpret_cast<uintptr_t>(thread));
  run(t, program[t]);
  return nullptr;
}

int random_main() {
  unsigned long handles[kThreads] = {};
  for (uintptr_t t = 1; t < kThreads; ++t) handles[t] = spawn(start, reinterpret_cast<void*>(t));
  run(0, program[0]);
  for (unsigned t = 1; t < kThreads; ++t)
    if ((joined_early >> t & 1) != 0) join(handles[t]);
  run(0, program[kThreads]);
  for (unsigned t = 1; t < kThreads; ++t)
    if ((joined_early >> t & 1) == 0) join(handles[t]);
  note(0, 0, 2 * kBytes, true);
  __heddle_memset(globals().bytes, 0, 2 * kBytes, 0);
  return 0;
}

Operation random_operation(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto kind = static_cast<Operation::Kind>(below(12) % 10 % 6);
  const unsigned sizes[] = {1, 2, 4, 8};
  const unsigned size = kind == Operation::fill || kind == Operation::copy ? 9 + below(kBytes - 9) : sizes[below(4)];
  return {kind, below(kBytes - size + 1), size};
}

// Remembers everything.
class Reference {
 public:
  // Whether the access races with an earlier one.
  bool races(const Access& a, const std::vector<uint32_t>& clock) {
    bool race = false;
    const auto seen = [&](unsigned u) { return u < clock.size() ? clock[u] : 0; };
    for (unsigned i = a.at; i < a.at + a.size; ++i) {
      for (const Past& p : past_[i])
        race |= p.thread != a.thread && (p.writes || a.writes) && seen(p.thread) <= p.clock;
      past_[i].push_back({a.thread, seen(a.thread), a.writes});
    }
    return race;
  }

 private:
  struct Past {
    unsigned thread;
    uint32_t clock;
    bool writes;
  };
  std::vector<Past> past_[2 * kBytes];
};

// One random schedule of the program.
class Schedule {
 public:
  Schedule(World& world, std::mt19937& random) : w_(world), random_(random) {
    w_.restart();
    access_count = 0;
  }

  // Whether there was a race.
  bool run() {
    for (;;) {
      std::vector<ThreadId> enabled;
      for (const ThreadId t : std::vector<ThreadId>(w_.machine.threads().begin(), w_.machine.threads().end())) {
        if (w_.enabled(t)) enabled.push_back(t);  // may start the thread
        if (raced(t)) return true;
      }
      if (enabled.empty()) return false;
      const ThreadId t = enabled[random_() % enabled.size()];
      w_.step(t);
      if (raced(t)) return true;
    }
  }

 private:
  // Holds what t has just done against the reference.
  bool raced(ThreadId t) {
    const bool failed = w_.pending(t).kind == ActionKind::error;
    bool race = false;
    for (; checked_ < access_count && !race; ++checked_) race = reference_.races(accesses[checked_], w_.clock(t));
    EXPECT_EQ(race, failed) << "access " << checked_ - 1 << " of thread " << index(t);
    // A copy notes both of its halves before it is tried.
    EXPECT_GE(checked_ + 1, access_count);
    return race || failed;
  }

  World& w_;
  std::mt19937& random_;
  Reference reference_;
  unsigned checked_ = 0;
};

TEST(RaceRandom, AgreesWithAReferenceThatRemembersEverything) {
  std::mt19937 random(1);
  World w(random_main);
  unsigned races = 0;
  constexpr unsigned kPrograms = 20'000;
  for (unsigned n = 0; n < kPrograms && !HasFailure(); ++n) {
    const bool reads_only = random() % 2 == 0;
    joined_early = random();
    for (auto& operations : program) {
      operations.clear();
      for (unsigned i = random() % 6; i > 0; --i) operations.push_back(random_operation(random));
      // Sets of readers only grow while nobody writes.
      if (!reads_only || &operations == &program[kThreads]) continue;
      for (Operation& o : operations)
        if (o.kind < Operation::acquire && o.size <= 8) o.kind = Operation::read;
    }
    for (int schedule = 0; schedule < 3 && !HasFailure(); ++schedule) races += Schedule(w, random).run();
  }
  EXPECT_GT(races, kPrograms / 2);
  EXPECT_LT(races, 3 * kPrograms - kPrograms / 10);
}

}  // namespace
}  // namespace heddle::test
