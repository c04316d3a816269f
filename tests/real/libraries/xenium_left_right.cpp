// The left-right of xenium: a reader never waits, and never sees half of an update, unless it takes away a reference.
// needs: xenium/left_right.hpp
// $ heddle check --model sc xenium_left_right.cpp -- -std=c++17 => verified
// $ heddle check --model tso xenium_left_right.cpp -- -std=c++17 => verified
// $ heddle check xenium_left_right.cpp -- -std=c++17 => verified
// $ heddle check --model sc xenium_left_right.cpp -- -std=c++17 -DBUG => error race here
#include <cassert>
#include <thread>
#include <xenium/left_right.hpp>

struct Pair {
  int a = 0, b = 0;
};
xenium::left_right<Pair> pair;

int main() {
  std::thread writer([] {
    pair.update([](Pair& p) { ++p.a, ++p.b; });
    pair.update([](Pair& p) { ++p.a, ++p.b; });
  });
#ifdef BUG
  const Pair& seen = *pair.read([](const Pair& p) { return &p; });
#else
  const Pair seen = pair.read([](const Pair& p) { return p; });
#endif
  assert(seen.a == seen.b);  // here
  writer.join();
  assert(pair.read([](const Pair& p) { return p.a; }) == 2);
}
