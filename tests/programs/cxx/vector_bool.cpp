// std::vector<bool> sets bits of words that nobody has written before. That is no use of them.
// $ heddle check vector_bool.cpp => verified
// $ heddle check vector_bool.cpp -- -DBUG => error race
// $ heddle check vector_bool.cpp -- -DUNSET => error memory here, "uninitialised"
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::vector<bool> bits;
  for (int i = 0; i < 3; ++i) bits.push_back(i == 1);
  assert(!bits[0] && bits[1] && !bits[2]);
#ifdef UNSET  // a read of a bit is a use
  std::vector<bool> none;
  none.reserve(64);
  assert(!*none.begin());  // here
#endif
#ifdef BUG  // two bits of one word
  std::thread t([&] { bits[0] = true; });
  bits[2] = true;
  t.join();
#endif
}
