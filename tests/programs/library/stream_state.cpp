// What std::cout keeps for the program begins anew with each execution, and nobody is called when it has ended.
// $ heddle check stream_state.cpp => verified
// $ heddle check --model sc --algorithm await stream_state.cpp => verified
// $ heddle check stream_state.cpp -- -DCALLBACK => verified
#include <atomic>
#include <cassert>
#include <iostream>
#include <sstream>
#include <thread>

std::atomic<int> x;
int calls;

int main() {
  std::thread t([] { x = 1; });
  x.load();
  assert(std::cout.iword(0) == 0 && std::cout.pword(1) == nullptr && std::cout.tie() == nullptr);
  assert(std::cerr.tie() == &std::cout && std::cout.iword(40) == 0);
  std::ostringstream other;
  std::cout.iword(0) = 7;
  std::cout.pword(1) = &calls;
  std::cout.iword(40) = 8;
  std::cout.tie(&other);
  std::streambuf* const buffer = std::cout.rdbuf(other.rdbuf());
  std::cerr.tie(nullptr);
  x.load();
  std::cout << "hello" << std::flush;
  assert(other.str() == "hello");
  std::cout.rdbuf(buffer);
  assert(std::cout.iword(0) == 7 && std::cout.iword(40) == 8 && std::cout.pword(1) == &calls);
#ifdef CALLBACK
  std::cout.register_callback([](std::ios_base::event, std::ios_base&, int n) { calls += n; }, 2);
  x.load();
#endif
  t.join();
  std::cout.tie(nullptr);
}
