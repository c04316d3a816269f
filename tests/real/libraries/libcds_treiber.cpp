// The stack of Treiber in libcds, with hazard pointers. They are in its library, and Debian has no sources of it: what
// is missing is named, with what to do. With its sources (its src/*.cpp before --, -I of its folder after it) the
// program is verified.
// needs: cds/container/treiber_stack.h
// $ heddle check libcds_treiber.cpp -- -std=c++17 => exit 2, "call of undefined function 'cds::gc::hp::smr::tls()': libcds is precompiled: pass its sources"
// $ heddle check libcds_treiber.cpp -- -std=c++17 -lcds => exit 2, "libcds is precompiled: pass its sources"
#include <cds/container/treiber_stack.h>
#include <cds/gc/hp.h>
#include <cds/init.h>

#include <cassert>
#include <thread>

struct Attached {
  Attached() { cds::threading::Manager::attachThread(); }
  ~Attached() { cds::threading::Manager::detachThread(); }
};
struct Library {
  Library() { cds::Initialize(); }
  ~Library() { cds::Terminate(); }
};

int main() {
  const Library library;
  const cds::gc::HP hazard_pointers;
  const Attached here;
  cds::container::TreiberStack<cds::gc::HP, int> stack;
  std::thread other([&] {
    const Attached there;
    stack.push(1);
  });
  stack.push(2);
  int x = 0;
  const bool got = stack.pop(x);
  assert(got && (x == 1 || x == 2));
  other.join();
}
