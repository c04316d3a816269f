// Ends of main that depend on what no access to memory tells, or that tell twins apart: they are not taken for known. In
// each of these a thread does something in few of the executions.
// $ heddle check unseen_ends.cpp -- -DNORETURN => error assertion late
// $ heddle check unseen_ends.cpp -- -DSTREAM => error assertion late
// $ heddle check unseen_ends.cpp -- -DTWINS => error race
// $ heddle check --symmetry unseen_ends.cpp -- -DTWINS => error symmetry
// $ heddle check unseen_ends.cpp -- -DNESTED => verified, 6 executions
// $ heddle check --symmetry unseen_ends.cpp -- -DNESTED => error symmetry
// $ heddle check unseen_ends.cpp -- -DPART => verified, 6 executions
// $ heddle check --symmetry unseen_ends.cpp -- -DPART => error symmetry
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <ostream>

namespace std {
extern ostream cout;
}

std::atomic<int> flag, count;
int plain;
void* pointer;
time_t first;

void* raise_flag(void*) {
  flag = 2;
  flag = 1;
  return nullptr;
}

#if defined NORETURN
void* run(void*) {
  if (flag == 1) sleep(5);
  return nullptr;
}
[[noreturn]] void finish() {
  assert(time(nullptr) < first + 5);  // late
  pthread_exit(nullptr);
}
#elif defined STREAM
void* run(void*) {
  if (flag == 1) std::cout.precision(3);
  return nullptr;
}
#elif defined TWINS  // writes what is there
void* run(void*) {
  if (count++ == 0 && flag == 1) plain = 0;
  return nullptr;
}
#elif defined NESTED  // writes what is there, before or between
void* add(void*) {
  count++;
  return nullptr;
}
void* run(void*) {
  pthread_t a, b;
  const int seen = flag;
  if (seen != 1) plain = 0;
  pthread_create(&a, nullptr, add, nullptr);
  if (seen == 1) plain = 0;
  pthread_create(&b, nullptr, add, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  return nullptr;
}
#else
void* run(void*) {
  void* const mine = malloc(16);
  if (count++ == 0 && flag == 1) pointer = mine;
  return nullptr;
}
#endif

int main() {
#ifdef NORETURN
  first = time(nullptr);
#endif
  pthread_t a, b, c;
  pthread_create(&a, nullptr, run, nullptr);
#if defined TWINS || defined PART
  pthread_create(&b, nullptr, run, nullptr);
#endif
  pthread_create(&c, nullptr, raise_flag, nullptr);
  pthread_join(c, nullptr);
  pthread_join(a, nullptr);
#ifdef TWINS
  assert(plain == 0);
#endif
#if defined TWINS || defined PART
  pthread_join(b, nullptr);
#endif
#if defined NORETURN
  finish();
#elif defined STREAM
  assert(std::cout.precision() == 6);  // late
#elif defined NESTED
  assert(plain == 0);
#elif defined PART
  assert(reinterpret_cast<volatile unsigned char*>(&pointer)[7] == 0);
#endif
}
