// What was put in comes out, in the same order. Needs C++20: std::jthread.
#include <spsc/ring.hpp>

#undef NDEBUG
#include <cassert>
#include <thread>

int main() {
  Ring<int> ring;
  std::jthread producer([&] {
    for (int i = 1; i <= 3; ++i) ring.push(i);
  });
  int last = 0;
  for (int i = 0; i < 3; ++i) {
    if (const std::optional<int> value = ring.pop()) {
      assert(*value > last);
      last = *value;
    }
  }
}
