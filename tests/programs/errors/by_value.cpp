// An argument that is passed by value ends with its call or its destructor, and a temporary that nobody uses at once.
// $ heddle check by_value.cpp => error memory here, "which has gone out of scope"
// $ heddle check by_value.cpp --model sc --algorithm await => error memory here
// $ heddle check by_value.cpp -- -DCOPIED => error memory here
// $ heddle check by_value.cpp -- -DLARGE => error memory here
// $ heddle check by_value.cpp -- -DUNUSED => error memory here
// $ heddle check by_value.cpp -- -DUNUSED -DOUTSIDE => error memory here
// $ heddle check by_value.cpp -- -DTHROWS => error memory here
// $ heddle check by_value.cpp -- -DIN_TIME => verified
// $ heddle check by_value.cpp -- -DLOOP => verified
// $ heddle check by_value.cpp -- -DCOMMA => verified
#include <cassert>
#include <string>
#include <thread>

struct Config {
  int n;
  std::string name;
#ifdef LARGE
};
struct Plain {
  int n;
  int more[20];
#endif
};
#ifdef LARGE
using Argument = Plain;
#else
using Argument = Config;
#endif

#ifdef IN_TIME
void start(Argument c) {
  std::thread([&c] { assert(c.n == 3); }).join();
}
#else
std::thread start(Argument c) {
  return std::thread([&c] {
    assert(c.n == 3);  // here
  });
}
#endif

std::thread thread;
struct Starter {
  int n = 3;
  Starter() {
    thread = std::thread([this] {
      assert(n == 3);  // here
    });
  }
#ifdef OUTSIDE
  ~Starter();
};
Starter::~Starter() {}
#else
  ~Starter() {}
};
#endif

void throws(Config c) {
  thread = std::thread([&c] {
    assert(c.n == 3);  // here
  });
  throw 1;
}

struct Noted {
  int n;
  Noted(int m);
} const* noted;
Noted::Noted(int m) : n(m) { noted = this; }

int sum(Config a, Config b) { return a.n + b.n; }

int main() {
#if defined COPIED
  Config c{3, "x"};
  std::thread t = start(c);
  t.join();
#elif defined UNUSED
  Starter();
  thread.join();
#elif defined COMMA
  const int n = (Noted(3), noted->n);
  assert(n == 3);
#elif defined THROWS
  try {
    throws(Config{3, "x"});
  } catch (int) {
  }
  thread.join();
#elif defined LOOP
  int n = 0;
  for (int i = 0; i < 3; ++i) n += i == 1 ? 0 : sum(Config{i, "a"}, Config{sum(Config{1, "b"}, Config{2, "c"}), "d"});
  assert(n == 8);
#elif defined IN_TIME
  start(Config{3, "x"});
#elif defined LARGE
  std::thread t = start(Plain{3, {}});
  t.join();
#else
  std::thread t = start(Config{3, "x"});
  t.join();
#endif
}
