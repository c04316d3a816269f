// The work-stealing deque of Chase and Lev, with the fences that weak memory needs. The thief steals until the owner
// says that all is done.
// $ heddle check work_stealing.cpp => verified, 14 executions
// $ heddle check --model sc work_stealing.cpp => verified, 14 executions
// $ heddle check --model tso work_stealing.cpp => verified, 14 executions
// $ heddle check --model ra work_stealing.cpp => verified, 14 executions
// $ heddle check --algorithm rcmc work_stealing.cpp => verified, 14 executions
// $ heddle check --algorithm await --model sc work_stealing.cpp => verified, 14 executions
// $ heddle check work_stealing.cpp -- -DWEAK => error race
// $ heddle check --algorithm rcmc work_stealing.cpp -- -DWEAK => error race
// $ heddle check --model tso work_stealing.cpp -- -DWEAK => error race
// $ heddle check --model sc work_stealing.cpp -- -DWEAK => verified
#include <pthread.h>

#include <atomic>
#include <cassert>

#ifdef WEAK
constexpr auto kFull = std::memory_order_acq_rel;
#else
constexpr auto kFull = std::memory_order_seq_cst;
#endif

class Deque {
 public:
  static constexpr int kNone = -1;

  void push(int task) {
    const int b = bottom_.load(std::memory_order_relaxed);
    task_[b % kSize].store(task, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    bottom_.store(b + 1, std::memory_order_relaxed);
  }

  int pop() {
    const int b = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(b, std::memory_order_relaxed);
    std::atomic_thread_fence(kFull);
    int t = top_.load(std::memory_order_relaxed);
    if (t < b) return task_[b % kSize].load(std::memory_order_relaxed);
    int task = kNone;
    if (t == b) {  // the last one: a thief may want it too
      task = task_[b % kSize].load(std::memory_order_relaxed);
      if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) task = kNone;
    }
    bottom_.store(b + 1, std::memory_order_relaxed);
    return task;
  }

  int steal() {
    int t = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const int b = bottom_.load(std::memory_order_acquire);
    if (t >= b) return kNone;
    const int task = task_[t % kSize].load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) return kNone;
    return task;
  }

 private:
  static constexpr int kSize = 2;
  std::atomic<int> top_{0}, bottom_{0};
  std::atomic<int> task_[kSize] = {};
};

Deque deque;
std::atomic<bool> done{false};
int times[2];  // how often each task was run

void* thief(void*) {
  while (!done.load(std::memory_order_acquire)) {
    const int task = deque.steal();
    if (task != Deque::kNone) ++times[task];
  }
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, thief, nullptr);
  deque.push(0);
  deque.push(1);
  for (int task; (task = deque.pop()) != Deque::kNone;) ++times[task];
  done.store(true, std::memory_order_release);
  pthread_join(t, nullptr);
  assert(times[0] == 1 && times[1] == 1);
}
