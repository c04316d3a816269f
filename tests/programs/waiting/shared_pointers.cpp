// Waiting for what a shared pointer points to. A round takes a reference and gives it back.
// $ heddle check --no-symmetry shared_pointers.cpp => verified, 1 executions
// $ heddle check --algorithm rcmc shared_pointers.cpp => verified, 1 executions
// $ heddle check --algorithm await --model sc shared_pointers.cpp => verified, 1 executions
// $ heddle check --no-symmetry shared_pointers.cpp -- -DOLD => verified, 2 executions
// $ heddle check --algorithm rcmc shared_pointers.cpp -- -DOLD => verified, 2 executions
// $ heddle check --algorithm await --model sc shared_pointers.cpp -- -DOLD => verified, 2 executions
// $ heddle check --no-symmetry shared_pointers.cpp -- -DWEAK => verified, 4 executions
// $ heddle check --algorithm await --model sc shared_pointers.cpp -- -DWEAK => verified, 4 executions
// $ heddle check --no-symmetry shared_pointers.cpp -- -DSTOP => verified, 2 executions
// $ heddle check shared_pointers.cpp -- -DWEAK -DUSES => error memory
// $ heddle check shared_pointers.cpp -- -DSTOP -DCOUNT => error assertion here
// $ heddle check --algorithm await --model sc shared_pointers.cpp -- -DSTOP -DCOUNT => error assertion here
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Object {
  int value;
};

static std::shared_ptr<Object> global;

int main() {
#if defined WEAK  // until the object is gone
  std::shared_ptr<Object> mine(new Object{5});
  Object* const object = mine.get();
  std::thread waits([weak = std::weak_ptr<Object>(mine), object] {
    while (const auto p = weak.lock()) assert(p->value == 5);
#ifdef USES
    assert(object->value == 5);
#endif
  });
  (void)object;
  mine.reset();
#elif defined STOP  // COUNT: the rounds can be told by the number of references
  static std::atomic<bool> stop{false};
  static long count;
  static auto mine = std::make_shared<Object>(Object{5});
  std::thread waits([weak = std::weak_ptr<Object>(mine)] {
    while (!stop.load()) {
      const auto p = weak.lock();
      assert(p->value == 5);
    }
  });
#ifdef COUNT
  std::thread tells([] {
    count = mine.use_count();
    stop = true;
  });
#else
  std::thread tells([] { stop = true; });
#endif
  tells.join();
#elif defined OLD
  global = std::make_shared<Object>(Object{0});
  std::thread tells([] { std::atomic_store(&global, std::make_shared<Object>(Object{3})); });
  std::thread waits([] {
    while (std::atomic_load(&global)->value != 3) {
    }
  });
  tells.join();
#else
  std::thread tells([] { std::atomic_store(&global, std::make_shared<Object>(Object{3})); });
  std::thread waits([] {
    std::shared_ptr<Object> p;
    while (!(p = std::atomic_load(&global))) {
    }
    assert(p->value == 3);
  });
  tells.join();
#endif
  waits.join();
#if defined STOP && defined COUNT
  assert(count == 1);  // here
#endif
}
