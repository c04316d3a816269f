// $ heddle check --no-symmetry between_steps.cpp => verified, 6 executions
// $ heddle check --algorithm rcmc between_steps.cpp => verified, 6 executions
// $ heddle check --algorithm await --no-commute --model sc between_steps.cpp => verified, 6 executions
//
// What a thread may be in the midst of when it stands before a step, and the machine goes back to that: a caught
// exception, formats of a stream, a frame that is too large to be copied, memory that it frees later, a lock, a
// thread_local variable, a copy of a string. Two threads take two steps each: 4! / (2! 2!) orders.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>

std::atomic<int> x;
thread_local int mine;
pthread_key_t key;

void step() { x.fetch_add(1, std::memory_order_relaxed); }

void in_catch() {
  try {
    throw std::runtime_error("first");
  } catch (const std::exception& e) {
    step();
    assert(std::strcmp(e.what(), "first") == 0);
    try {
      throw 5;
    } catch (int n) {
      assert(n == 5);
    }
  }
}

void with_large_frame() {
  volatile char large[40000];
  for (unsigned i = 0; i < sizeof large; i += 1000) large[i] = static_cast<char>(i / 1000);
  step();
  for (unsigned i = 0; i < sizeof large; i += 1000) assert(large[i] == static_cast<char>(i / 1000));
}

void* first(void*) {
  pthread_setspecific(key, &mine);
  mine = 1;
  in_catch();
  assert(mine == 1 && pthread_getspecific(key) == &mine);
  mine = 2;
  std::cout << std::hex << 255 << '\n';
  assert(std::cout.flags() & std::ios::hex);
  with_large_frame();
  assert(mine == 2);
  std::cout << std::dec;
  return nullptr;
}

void* second(void*) {
  assert(mine == 0 && pthread_getspecific(key) == nullptr);
  auto* text = new std::string("a text that is too long to stand in the object itself");
  char copy[8];
  std::snprintf(copy, sizeof copy, "%.3s", text->c_str());
  step();
  assert(std::strcmp(copy, "a t") == 0 && text->size() > 20);
  delete text;
  text = new std::string("another text that is too long to stand in the object");
  step();
  assert((*text)[1] == 'n');
  delete text;
  return nullptr;
}

int main() {
  pthread_key_create(&key, nullptr);
  pthread_t a, b;
  pthread_create(&a, nullptr, first, nullptr);
  pthread_create(&b, nullptr, second, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  assert(x.load() == 4);
}
