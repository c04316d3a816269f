// What the user asks of the native machine.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/suppression.hpp"

namespace heddle {

// What a notification does instead of what the program says, to see whether it is to blame for a deadlock.
struct OtherNotice {
  SiteId site;
  bool is_kept = false;  // if no thread waits, until one does; else: it wakes all that wait
};

struct NativeOptions {
  bool races_ignore = false;                // plain accesses to shared memory are actions, and races no errors
  bool spurious_cas = false;                // a weak compare-and-swap may fail although the values are equal
  bool timeouts = true;                     // a wait with a time limit may reach it
  bool spurious_wakeups = false;            // a condition variable may wake a thread for no reason
  unsigned nondet_bound = 0;                // __VERIFIER_nondet_*: any of 0 .. bound-1; 0 refuses them
  uint64_t step_limit = 1'000'000;          // actions of one thread in one execution
  uint64_t spin_limit = 100'000'000;        // loop iterations of one thread between two actions
  bool symmetry = false;                    // tell which threads are twins (symmetry.hpp)
  bool find_twins = true;                   // with symmetry: also those that are not declared
  bool take_back = true;                    // see what rounds of loops take back (changes.hpp)
  bool helping = false;                     // heed heddle_helped and heddle_helping (helping.hpp)
  std::vector<Suppression> suppressions{};  // of races that are no errors (suppress.hpp)
};

}  // namespace heddle
