// Ways to reclaim memory in xenium: one thread replaces a node while another one looks at it. A node that is no longer
// guarded must not be used.
// needs: xenium/reclamation/hazard_pointer.hpp
// $ heddle check --model sc xenium_reclamation.cpp -- -std=c++17 -DPOINTERS => verified
// $ heddle check --model tso xenium_reclamation.cpp -- -std=c++17 -DPOINTERS => verified
// $ heddle check xenium_reclamation.cpp -- -std=c++17 -DPOINTERS => verified
// $ heddle check xenium_reclamation.cpp -- -std=c++17 -DPOINTERS -DBUG => error memory here
// $ heddle check --model sc xenium_reclamation.cpp -- -std=c++17 -DERAS => verified
// $ heddle check xenium_reclamation.cpp -- -std=c++17 -DCOUNTS => verified
// $ heddle check xenium_reclamation.cpp -- -std=c++17 -DCOUNTS -DBUG => error race here
// An epoch ends when nobody is in it any more, so the first node is freed at the fourth replacement.
// $ heddle check --model sc xenium_reclamation.cpp -- -std=c++17 -DEPOCHS => verified
// $ heddle check --model tso xenium_reclamation.cpp -- -std=c++17 -DEPOCHS => verified
// $ heddle check xenium_reclamation.cpp -- -std=c++17 -DEPOCHS => verified
// $ heddle check xenium_reclamation.cpp -- -std=c++17 -DEPOCHS -DREPLACEMENTS=4 -DBUG => error memory here
// $ heddle check xenium_reclamation.cpp -- -std=c++17 -DQUIESCENT => verified
#include <array>
#include <cassert>
#include <thread>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <xenium/reclamation/hazard_eras.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>
#include <xenium/reclamation/lock_free_ref_count.hpp>
#include <xenium/reclamation/quiescent_state_based.hpp>

#ifndef REPLACEMENTS
#define REPLACEMENTS 2
#endif

namespace policy = xenium::policy;
namespace reclamation = xenium::reclamation;

// Each tries to reclaim as early as it can.
#if defined POINTERS
using reclaimer = reclamation::hazard_pointer<>::with<
    policy::allocation_strategy<reclamation::hp_allocation::static_strategy<2, 0, 1>>>;
#elif defined ERAS
using reclaimer =
    reclamation::hazard_eras<>::with<policy::allocation_strategy<reclamation::he_allocation::static_strategy<2, 0, 1>>>;
#elif defined COUNTS
using reclaimer = reclamation::lock_free_ref_count<>;
#elif defined EPOCHS
using reclaimer =
    reclamation::generic_epoch_based<>::with<policy::scan_frequency<0>,
                                             policy::region_extension<reclamation::region_extension::none>>;
#else
using reclaimer = reclamation::quiescent_state_based;
#endif

struct Node : reclaimer::enable_concurrent_ptr<Node> {
  explicit Node(int v) : value(v) {}
  int value;
};
using Pointer = reclaimer::concurrent_ptr<Node>;
Pointer current;

void replace(int value) {
  Pointer::guard_ptr old;
  old.acquire(current, std::memory_order_acquire);
  Pointer::marked_ptr expected(old.get());
  const bool mine =
      current.compare_exchange_strong(expected, Pointer::marked_ptr(new Node(value)), std::memory_order_acq_rel);
  assert(mine);
  old.reclaim();
}

int main() {
  current.store(new Node(1), std::memory_order_relaxed);
  std::thread writer([] {
    for (int i = 0; i < REPLACEMENTS; ++i) replace(2 + i);
  });
  Pointer::guard_ptr guard;
  guard.acquire(current, std::memory_order_acquire);
  Node* seen = guard.get();
#ifdef BUG
  guard.reset();
#endif
  assert(seen->value > 0);  // here
  guard.reset();
  writer.join();
  assert(current.load()->value == 1 + REPLACEMENTS);
}
