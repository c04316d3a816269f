// The seqlock of xenium. With more than one slot a reader that begins while a store is going on takes the number of the
// unfinished store for that of the slot that it reads, so it may miss that this slot is written anew meanwhile.
// needs: xenium/seqlock.hpp
// $ heddle check --model sc xenium_seqlock.cpp -- -std=c++17 => verified
// $ heddle check --model tso xenium_seqlock.cpp -- -std=c++17 => verified
// $ heddle check xenium_seqlock.cpp -- -std=c++17 => verified
// $ heddle check --model sc xenium_seqlock.cpp -- -std=c++17 -DSLOTS=2 => error assertion here
// An update in two parts may lose the other one.
// $ heddle check --model sc xenium_seqlock.cpp -- -std=c++17 -DBUG => error assertion, "pair.load().a == 2"
#include <cassert>
#include <thread>
#include <xenium/seqlock.hpp>

#ifndef SLOTS
#define SLOTS 1
#endif

struct Pair {
  long a, b;
};
xenium::seqlock<Pair, xenium::policy::slots<SLOTS>> pair(Pair{0, 0});

void add() {
#ifdef BUG
  Pair p = pair.load();
  pair.store({p.a + 1, p.b + 1});
#else
  pair.update([](Pair& p) { ++p.a, ++p.b; });
#endif
}

int main() {
#ifdef BUG
  std::thread writer(add);
  add();
#else
  std::thread writer([] {
    add();
    add();
  });
  const Pair seen = pair.load();
  assert(seen.a == seen.b);  // here
#endif
  writer.join();
  assert(pair.load().a == 2);
}
