// Arrivals at a std::latch or std::barrier commute (tests/programs/api/arrivals.c).
// $ heddle check arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=1 => verified, 1 executions
// $ heddle check arrivals.cpp --algorithm rcmc -- -std=c++20 -DCASE=1 => verified, 1 executions
// $ heddle check arrivals.cpp --algorithm await --model sc -- -std=c++20 -DCASE=1 => verified, 1 executions
// $ heddle check arrivals.cpp --no-symmetry --no-commute -- -std=c++20 -DCASE=1 => verified, 6 executions
// Some at once, and a thread that only waits.
// $ heddle check arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=2 => verified, 1 executions
// One looks whether the latch is open: before it is, or after.
// $ heddle check --verbose arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=3 => verified, "the order of arrivals makes a difference"
// $ heddle check arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=4 => verified, 1 executions
// $ heddle check arrivals.cpp -- -std=c++20 -DCASE=5 => error mutex, "is counted down by 1, but stands at 0"
// $ heddle check arrivals.cpp -- -std=c++20 -DCASE=6 => error deadlock, "waits for"
// A barrier without a completion, with one, and one that tells which thread runs it.
// $ heddle check arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=7 => verified, 1 executions
// $ heddle check arrivals.cpp --no-symmetry --self-check -- -std=c++20 -DCASE=8 => verified, 1 executions
// $ heddle check arrivals.cpp --algorithm rcmc -- -std=c++20 -DCASE=8 => verified, 1 executions
// $ heddle check arrivals.cpp --algorithm await --model sc -- -std=c++20 -DCASE=8 => verified, 1 executions
// $ heddle check --verbose arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=9 => error assertion, "the order of arrivals makes a difference"
// $ heddle check --verbose arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=10 => error assertion, "the order of arrivals makes a difference"
// Threads that leave the barrier for good, and phases with different threads.
// $ heddle check arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=11 => verified, 1 executions
// $ heddle check arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=12 => verified, 1 executions
// Arrive and wait later.
// $ heddle check arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=13 => verified, 1 executions
// $ heddle check arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=13 -DRACE => error race
// More than the barrier waits for.
// $ heddle check arrivals.cpp -- -std=c++20 -DCASE=14 => error mutex
// With a completion, split arrivals are counted.
// $ heddle check --verbose arrivals.cpp --no-symmetry -- -std=c++20 -DCASE=15 => verified, "the order of arrivals makes a difference"
#include <barrier>
#include <cassert>
#include <latch>
#include <thread>
#include <vector>

constexpr int kThreads = 3;
int mine[kThreads];
int sum;

template <typename F>
void in_threads(const F& f, int n = kThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) threads.emplace_back([&f, i] { f(i); });
  for (std::thread& t : threads) t.join();
}

void all_set() {
  for (int i = 0; i < kThreads; ++i) assert(mine[i] == 1);
}

thread_local int self;

int main() {
#if CASE == 1
  std::latch latch(kThreads);
  in_threads([&](int i) {
    mine[i] = 1;
    latch.arrive_and_wait();
    all_set();
  });
#elif CASE == 2
  std::latch latch(5);
  in_threads([&](int i) {
    mine[i] = 1;
    if (i < 2) return latch.count_down(i + 2);
    latch.wait();
    assert(mine[0] && mine[1]);
  });
#elif CASE == 3
  std::latch latch(2);
  in_threads([&](int i) {
    if (i < 2) {
      mine[i] = 1;
      latch.count_down();
    } else if (latch.try_wait()) {
      assert(mine[0] && mine[1]);
    }
  });
#elif CASE == 4
  std::latch latch(kThreads);
  assert(!latch.try_wait());
  in_threads([&](int i) {
    mine[i] = 1;
    latch.count_down();
    latch.wait();
    assert(latch.try_wait());
  });
  assert(latch.try_wait());
#elif CASE == 5
  std::latch latch(kThreads - 1);
  in_threads([&](int) { latch.count_down(); });
#elif CASE == 6
  std::latch latch(kThreads + 1);
  in_threads([&](int) { latch.arrive_and_wait(); });
#elif CASE == 7
  std::barrier barrier(kThreads);
  in_threads([&](int i) {
    mine[i] = 1;
    barrier.arrive_and_wait();
    all_set();
    barrier.arrive_and_wait();
    mine[i] = 2;
  });
#elif CASE == 8
  std::barrier barrier(kThreads, [] {
    for (int& m : mine) sum += m;
  });
  in_threads([&](int i) {
    for (int round = 1; round <= 2; ++round) {
      mine[i] = round;
      barrier.arrive_and_wait();
      assert(sum == (round == 1 ? 3 : 9));
    }
  });
#elif CASE == 9
  std::thread::id who;
  std::barrier barrier(2, [&] { who = std::this_thread::get_id(); });
  std::thread other([&] { barrier.arrive_and_wait(); });
  barrier.arrive_and_wait();
  other.join();
  assert(who == std::this_thread::get_id());
#elif CASE == 10
  std::barrier barrier(2, [&] { sum = self; });
  std::thread other([&] {
    self = 1;
    barrier.arrive_and_wait();
  });
  barrier.arrive_and_wait();
  other.join();
  assert(sum == 0);
#elif CASE == 11
  std::barrier barrier(kThreads);
  in_threads([&](int i) {
    mine[i] = 1;
    if (i == 0) return barrier.arrive_and_drop();
    barrier.arrive_and_wait();
    all_set();
    barrier.arrive_and_wait();
  });
#elif CASE == 12
  std::barrier barrier(2);
  std::latch second(1);
  in_threads(
      [&](int i) {
        if (i >= 2) second.wait();
        barrier.arrive_and_wait();
        if (i == 0) second.count_down();
      },
      4);
#elif CASE == 13
  std::barrier barrier(kThreads);
  in_threads([&](int i) {
    mine[i] = 1;
    auto token = barrier.arrive();
#ifdef RACE
    sum += mine[(i + 1) % kThreads];
#endif
    barrier.wait(std::move(token));
    all_set();
  });
#elif CASE == 14
  std::barrier barrier(1);
  in_threads([&](int) { (void)barrier.arrive(2); }, 1);
#elif CASE == 15
  std::barrier barrier(2, [] { sum = mine[0] + mine[1]; });
  in_threads(
      [&](int i) {
        mine[i] = 1;
        barrier.wait(barrier.arrive());
        assert(sum == 2);
      },
      2);
#endif
}
