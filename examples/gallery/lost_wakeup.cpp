// A lost wake-up. The consumer holds the mutex while it looks at the flag and until it sleeps; the producer raises the
// flag without it. So the flag can be raised, and the signal given, after the look and before the sleep: nobody hears
// it. That the flag is atomic does not help. With -DRIGHT the producer takes the mutex.
//
// $ heddle check lost_wakeup.cpp => error deadlock here
// $ heddle check lost_wakeup.cpp -- -DRIGHT => verified
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable raised;
std::atomic<bool> ready;

void produce() {
#ifdef RIGHT
  std::lock_guard lock(mutex);
#endif
  ready = true;
  raised.notify_one();
}

void consume() {
  std::unique_lock lock(mutex);
  while (!ready) {
    raised.wait(lock);  // here
  }
}

int main() {
  std::thread consumer(consume);
  produce();
  consumer.join();
}
