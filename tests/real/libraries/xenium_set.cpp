// The set of xenium, a list of Harris and Michael: two threads erase the same number, and one of them may.
// needs: xenium/harris_michael_list_based_set.hpp
// $ heddle check --model sc xenium_set.cpp -- -std=c++17 => verified
// $ heddle check --model tso xenium_set.cpp -- -std=c++17 => verified
// $ heddle check xenium_set.cpp -- -std=c++17 => verified
// $ heddle check --model sc xenium_set.cpp -- -std=c++17 -DEPOCHS => verified
// $ heddle check xenium_set.cpp -- -std=c++17 -DBUG => error assertion here
#include <array>
#include <cassert>
#include <thread>
#include <xenium/harris_michael_list_based_set.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>

namespace policy = xenium::policy;
namespace reclamation = xenium::reclamation;

// Each tries to reclaim as early as it can.
#ifdef EPOCHS
using reclaimer =
    reclamation::generic_epoch_based<>::with<policy::scan_frequency<0>,
                                             policy::region_extension<reclamation::region_extension::none>>;
#else
using reclaimer = reclamation::hazard_pointer<>::with<
    policy::allocation_strategy<reclamation::hp_allocation::static_strategy<3, 0, 1>>>;
#endif

xenium::harris_michael_list_based_set<int, policy::reclaimer<reclaimer>> numbers;

int main() {
  numbers.emplace(1);
  bool there = false;
  std::thread other([&] { there = numbers.erase(1); });
#ifdef BUG
  const bool here = numbers.contains(1);
  if (here) {
    const bool still = numbers.erase(1);
    assert(still);  // here
  }
#else
  const bool here = numbers.erase(1);
#endif
  numbers.emplace(2);
  other.join();
  assert(here != there);
  assert(!numbers.contains(1) && numbers.contains(2));
}
