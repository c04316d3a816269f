#include "library/passing.hpp"

#include <algorithm>

namespace heddle::library::passing {
namespace {

void look_after_failure(const Thread& t, Action&) {
  if (t.in_vain.clock != 0) look_for_passing();
}

// Whether the current thread knows that all others have exited.
bool is_alone() {
  const Thread& t = *rt.current;
  return std::ranges::all_of(rt.threads, [&](ThreadId u) {
    const uint32_t exit = thread(u).exit_clock;
    return u == t.id || (exit != 0 && index(u) < t.clock_size && t.clock[index(u)] >= exit);
  });
}

}  // namespace

void note_failure(Address lock) {
  if (rt.passing != Passing::unseen || rt.rehearsal != nullptr) return;
  threads::add_offer(look_after_failure);
  rt.current->in_vain = {lock, own_clock(*rt.current)};
}

bool fails_at_will(Address lock, Purpose purpose) {
  if (rt.passing != Passing::may_be_seen || std::ranges::find(rt.passed, lock) == rt.passed.end()) return false;
  if (is_alone() || choose(2, purpose) == 0) return false;
  undo::keep(rt.made_up);
  rt.made_up = true;
  return true;
}

void note_passed(Address lock, uint64_t changed, const Passed& in_vain) {
  if (rt.image->uses.clocks && rt.rehearsal == nullptr && tells_time(lock)) return;
  take_back(changed);
  Thread& t = *rt.current;
  undo::keep_list(t.passed);
  const auto it = std::ranges::find(t.passed, lock, &Passed::mutex);
  if (it != t.passed.end()) {
    it->clock = own_clock(t);
  } else {
    t.passed.push_back({lock, own_clock(t)});
  }
  if (in_vain.clock != 0) t.in_vain = {in_vain.mutex, own_clock(t)};
}

}  // namespace heddle::library::passing
