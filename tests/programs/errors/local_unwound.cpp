// A variable of a function that an exception has left, without anything that stops the exception there.
// $ heddle check local_unwound.cpp -- -DWRONG=0 => verified
// $ heddle check local_unwound.cpp -- -DWRONG=1 => error memory here, "out of scope"
// $ heddle check local_unwound.cpp -- -DWRONG=2 => error memory here, "out of scope"
#include <atomic>

static std::atomic<int*> p;
static int deep;

static void h(int n) {
  if (n == 0) throw 1;
  h(n - 1);
  deep++;
}

static void g(int n) {
  int x = 5;
  p.store(&x);
  h(n);
  x++;
}

int main() {
  int mine = 0;
  p.store(&mine);
  try {
#if WRONG == 1
    g(3);
#elif WRONG == 2
    int y = 1;
    p.store(&y);
    h(2);
#else
    h(2);
#endif
  } catch (int) {
  }
  return *p.load();  // here
}
