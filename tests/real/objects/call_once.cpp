// std::call_once, also of a function that throws at first. A flag of one's own is not enough.
// $ heddle check call_once.cpp -- -std=c++20 => verified
// $ heddle check --model sc call_once.cpp -- -std=c++20 => verified
// $ heddle check --model tso call_once.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc call_once.cpp -- -std=c++20 => verified
// $ heddle check call_once.cpp -- -std=c++20 -DBUG => error race
// $ heddle check --model sc call_once.cpp -- -std=c++20 -DBUG => error race
// $ heddle check --algorithm await --model sc call_once.cpp -- -std=c++20 -DBUG => error race
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag flag, throwing;
int made, tries;
bool done;

void use() {
#ifdef BUG
  if (!done) {
    done = true;
    ++made;
  }
#else
  std::call_once(flag, [](int by) { made += by; }, 1);
#endif
  assert(made == 1);
}

int main() {
  std::thread t(use);
  use();
  t.join();
  try {
    std::call_once(throwing, [] {
      ++tries;
      throw 1;
    });
  } catch (int) {
  }
  std::call_once(throwing, [] { ++tries; });
  assert(tries == 2);
}
