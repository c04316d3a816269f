// Hazard pointers: heddle_hp_* of heddle.h.
#include "native/hazards.hpp"

#include <fmt/format.h>

#include "library/table.hpp"
#include "native/lifetime.hpp"
#include "native/names.hpp"

namespace heddle::library {
namespace {

void* allocate_hazard() { return heap::allocate(sizeof(void*), alignof(void*), BlockKind::hazard, true); }
void free_hazard(void* hp) {
  if (hp == nullptr) return;
  const Block* const block = heap::find(address(hp));
  if (block == nullptr || block->kind != BlockKind::hazard) {
    HostScope scope;
    fail(ErrorKind::memory, fmt::format("heddle_hp_free of a hazard pointer that heddle_hp_alloc did not return: {}",
                                        names::describe(address(hp))));
  }
  hazards::clear(address(hp));
  lifetime::end_local(hp);
}
void* protect(void* hp, void* location) { return pointer(hazards::protect(address(hp), address(location))); }
void clear(void* hp) { hazards::clear(address(hp)); }

}  // namespace

std::span<const Row> hazard_functions() {
  static const Row table[] = {
      row("heddle_hp_alloc", allocate_hazard, kNeedsHazardPointers),
      row("heddle_hp_free", free_hazard, kNeedsHazardPointers),
      row("heddle_hp_protect", protect, kNeedsHazardPointers),
      row("heddle_hp_clear", clear, kNeedsHazardPointers),
      row("heddle_hp_retire", hazards::retire, kNeedsHazardPointers),
      row("__VERIFIER_hp_alloc", allocate_hazard, kNeedsHazardPointers),
      row("__VERIFIER_hp_free", free_hazard, kNeedsHazardPointers),
      row("__VERIFIER_hp_protect", protect, kNeedsHazardPointers),
      row("__VERIFIER_hp_clear", clear, kNeedsHazardPointers),
      row("__VERIFIER_hp_retire", hazards::retire, kNeedsHazardPointers),
  };
  return table;
}

}  // namespace heddle::library
