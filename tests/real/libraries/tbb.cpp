// A spin mutex of oneTBB, whose insides are in its headers.
// needs: tbb/spin_mutex.h
// $ heddle check tbb.cpp -- -std=c++17 => verified
// $ heddle check --model tso tbb.cpp -- -std=c++17 => verified
// $ heddle check tbb.cpp -- -std=c++17 -DBUG => error race
#include <tbb/spin_mutex.h>

#include <cassert>
#include <thread>

tbb::spin_mutex m;
int n;

int main() {
  std::thread t([] {
    tbb::spin_mutex::scoped_lock lock(m);
    ++n;
  });
  {
#ifndef BUG
    tbb::spin_mutex::scoped_lock lock(m);
#endif
    ++n;
  }
  t.join();
  assert(n == 2);
}
