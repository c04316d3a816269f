// Clocks go on with each call and with each sleep, never backwards, also from thread to thread.
// $ heddle check clocks.cpp => verified
// $ heddle check --self-check --model sc clocks.cpp => verified
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <random>

static std::atomic<int> ready;
static std::chrono::steady_clock::time_point sent;

static void* sender(void* arg) {
  for (int i = 0; i < 5; ++i) sent = std::chrono::steady_clock::now();
  ready.store(1, std::memory_order_release);
  return arg;
}

static void* receiver(void* arg) {
  const auto before = std::chrono::steady_clock::now();
  if (ready.load(std::memory_order_acquire) == 1) assert(std::chrono::steady_clock::now() > sent);
  assert(std::chrono::steady_clock::now() > before);
  return arg;
}

int main() {
  pthread_t a, b;
  const auto start = std::chrono::steady_clock::now();
  const auto wall = std::chrono::system_clock::now();
  pthread_create(&a, nullptr, sender, nullptr);
  pthread_create(&b, nullptr, receiver, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  assert(std::chrono::steady_clock::now() > sent && sent > start);
  assert(std::chrono::system_clock::now() > wall);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  while (std::chrono::steady_clock::now() < deadline) {
  }
  timespec t, u;
  assert(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
  sleep(3);
  assert(clock_gettime(CLOCK_MONOTONIC, &u) == 0 && u.tv_sec >= t.tv_sec + 3);
  assert(clock_gettime(12345, &t) == -1);
  t = {0, -1};
  assert(nanosleep(&t, nullptr) == -1);
  assert(time(nullptr) > 1'600'000'000);
  const clock_t c = clock();
  assert(clock() > c);
  assert(__builtin_readcyclecounter() < __builtin_readcyclecounter());
  std::random_device device;
  const unsigned first = device();
  assert(first != device() || first != device());
}
