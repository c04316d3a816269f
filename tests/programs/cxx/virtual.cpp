// Virtual functions, templates, lambdas, std::function, placement of objects on the heap.
// $ heddle check virtual.cpp => verified, 2 executions
#include <pthread.h>

#include <array>
#include <atomic>
#include <cassert>
#include <functional>
#include <memory>

static std::atomic<int> x;

struct Task {
  virtual ~Task() = default;
  virtual void run() = 0;
};

template <int Amount>
struct Add : Task {
  void run() override { x.fetch_add(Amount); }
};

struct Call : Task {
  std::function<void()> f;
  explicit Call(std::function<void()> f) : f(std::move(f)) {}
  void run() override { f(); }
};

static void* run(void* p) {
  static_cast<Task*>(p)->run();
  return nullptr;
}

int main() {
  int amount = 5;
  std::array<std::unique_ptr<Task>, 2> tasks{std::make_unique<Add<3>>(),
                                             std::make_unique<Call>([&] { x.fetch_add(amount); })};
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], nullptr, run, tasks[i].get());
  for (pthread_t p : t) pthread_join(p, nullptr);
  assert(x == 8);
}
