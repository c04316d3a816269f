// The queues of xenium: Michael and Scott's, with three ways to reclaim nodes, and Vyukov's, which has a capacity.
// needs: xenium/michael_scott_queue.hpp
// $ heddle check --model sc xenium_queues.cpp -- -std=c++17 => verified
// $ heddle check --model tso xenium_queues.cpp -- -std=c++17 => verified
// $ heddle check xenium_queues.cpp -- -std=c++17 => verified
// $ heddle check xenium_queues.cpp -- -std=c++17 -DEPOCHS => verified
// $ heddle check xenium_queues.cpp -- -std=c++17 -DQUIESCENT => verified
// A consumer needs two hazard pointers.
// $ heddle check xenium_queues.cpp -- -std=c++17 -DPOINTERS=1 => error exception here, "hazard pointer pool exceeded"
// $ heddle check --model sc xenium_queues.cpp -- -std=c++17 -DVYUKOV => verified
// $ heddle check --model tso xenium_queues.cpp -- -std=c++17 -DVYUKOV => verified
// $ heddle check xenium_queues.cpp -- -std=c++17 -DVYUKOV => verified
// Nobody looks whether there is room.
// $ heddle check --model sc xenium_queues.cpp -- -std=c++17 -DVYUKOV -DITEMS=3 => error assertion, "last == ITEMS"
#include <array>
#include <cassert>
#include <thread>
#include <xenium/michael_scott_queue.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>
#include <xenium/reclamation/quiescent_state_based.hpp>
#include <xenium/vyukov_bounded_queue.hpp>

#ifndef POINTERS
#define POINTERS 3
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

namespace policy = xenium::policy;
namespace reclamation = xenium::reclamation;

// Each tries to reclaim as early as it can.
#if defined EPOCHS
using reclaimer =
    reclamation::generic_epoch_based<>::with<policy::scan_frequency<0>,
                                             policy::region_extension<reclamation::region_extension::none>>;
#elif defined QUIESCENT
using reclaimer = reclamation::quiescent_state_based;
#else
using reclaimer = reclamation::hazard_pointer<>::with<
    policy::allocation_strategy<reclamation::hp_allocation::static_strategy<POINTERS, 0, 1>>>;
#endif

#ifdef VYUKOV
xenium::vyukov_bounded_queue<int> items(2);
void push(int x) { items.try_push(x); }
#else
xenium::michael_scott_queue<int, policy::reclaimer<reclaimer>> items;
void push(int x) { items.push(x); }
#endif

int last = 0;

bool pop() {
  int x;
  if (!items.try_pop(x)) return false;  // here
  assert(x == last + 1);
  last = x;
  return true;
}

int main() {
  std::thread producer([] {
    for (int i = 1; i <= ITEMS; ++i) push(i);
  });
  pop();
  producer.join();
  while (pop()) {
  }
  assert(last == ITEMS);
}
