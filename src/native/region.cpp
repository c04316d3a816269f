#include "native/region.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "core/assert.hpp"
#include "core/error.hpp"

namespace heddle::region {

void map_arenas() {
  static bool done = false;
  if (done) return;
  map(kArenas, kStacks - kArenas, PROT_READ | PROT_WRITE);
  map(kStacks, kEnd - kStacks, PROT_NONE);
  map(kCells, kCovered * sizeof(uint64_t), PROT_READ | PROT_WRITE);
  done = true;
}

void map_sites() {
  static bool done = false;
  if (!done) map(kSites, kCovered * sizeof(uint64_t), PROT_READ | PROT_WRITE);
  done = true;
}

void open_stack(ThreadId t) {
  HEDDLE_ASSERT(index(t) < kMaxThreads && in_stack(stack_low(t)) && stack_low(t) % kPage == 0);
  if (mprotect(reinterpret_cast<void*>(stack_low(t)), kStackUsable, PROT_READ | PROT_WRITE) != 0) {
    throw UserError(std::string("cannot make a stack for a thread: ") + std::strerror(errno));
  }
}

void trim_stack(ThreadId t) { discard(stack_low(t), stack_low(t) + kStackUsable - kStackKept); }

void discard(Address from, Address to) {
  HEDDLE_ASSERT(from <= to && from >= kBase && to <= kSites);  // of the program, its stacks or its cells
  from = (from + kPage - 1) & ~(kPage - 1);
  to &= ~(kPage - 1);
  if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

}  // namespace heddle::region
