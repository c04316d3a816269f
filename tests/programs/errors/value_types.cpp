// Values are shown as their types have them.
// $ heddle check value_types.cpp => error assertion here
#include <atomic>
#include <cassert>
#include <thread>

enum class Color { red, green = 5 };
struct Pair {
  short x, y;
};
struct All {
  std::atomic<double> ratio{1.5};
  std::atomic<float> part{0.5f};
  std::atomic<bool> ready{false};
  std::atomic<Color> color{Color::red};
  std::atomic<char> letter{'a'};
  std::atomic<unsigned> natural{0};
  std::atomic<int> negative{0};
  std::atomic<unsigned long long> big{0};
  std::atomic<signed char> tiny{0};
  std::atomic<Pair> pair{Pair{1, 2}};
  std::atomic<void*> pointer{nullptr};
};
All all;

void change() {
  all.ratio = -2.25;
  all.part = 3.0f;
  all.ready = true;
  all.color = Color::green;
  all.letter = 'z';
  all.natural = 4000000000u;
  all.negative = -7;
  all.big = ~0ull;
  all.tiny = -1;
  all.pair = Pair{-3, 4};
  all.pointer = &all.pair;
}

int main() {
  std::thread t(change);
  t.join();
  assert(all.ratio == 1.5);  // here
}
