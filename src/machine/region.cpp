#include "machine/region.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "machine/shadow.hpp"

namespace heddle::region {
namespace {

constexpr std::size_t kPage = 4096;
// The first page stays empty: libgcc ignores the unwind table of a function whose address ends in 32 zero bits.
std::size_t image_used = kPage;

void* map(Address at, std::size_t bytes, int protection) {
  void* const p = mmap(reinterpret_cast<void*>(at), bytes, protection,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (p == MAP_FAILED) {
    throw UserError(std::string("cannot reserve memory for the program (") + std::strerror(errno) +
                    "); is the address space limited (ulimit -v, vm.overcommit_memory=2)?");
  }
  // A huge page per arena, stack and shadow would cost megabytes for each thread's few bytes.
  madvise(p, bytes, MADV_NOHUGEPAGE);
  return p;
}

}  // namespace

void* map_image(std::size_t bytes) {
  bytes = (bytes + kPage - 1) & ~(kPage - 1);
  if (bytes > kImageSize - image_used) throw UserError("the program's code and data exceed 1 GiB");
  void* const p = map(kBase + image_used, bytes, PROT_READ | PROT_WRITE);
  image_used += bytes;
  return p;
}

void unmap_image() {
  if (image_used != kPage) munmap(reinterpret_cast<void*>(kBase + kPage), image_used - kPage);
  image_used = kPage;
}

Address image_start() { return kBase + kPage; }
Address image_end() { return kBase + image_used; }

void map_arenas() {
  static bool done = false;
  if (done) return;
  map(kArenas, kStacks - kArenas, PROT_READ | PROT_WRITE);
  map(kStacks, kEnd - kStacks, PROT_NONE);
  map(cell::kCells, cell::kCovered * sizeof(uint64_t), PROT_READ | PROT_WRITE);
  done = true;
}

void map_sites() {
  static bool done = false;
  if (!done) map(cell::kSites, cell::kCovered * sizeof(uint64_t), PROT_READ | PROT_WRITE);
  done = true;
}

void open_stack(ThreadId t) {
  const Address low = kStacks + index(t) * kStackSize + kStackGuard;
  if (mprotect(reinterpret_cast<void*>(low), kStackSize - kStackGuard, PROT_READ | PROT_WRITE) != 0) {
    throw UserError(std::string("cannot make a stack for a thread: ") + std::strerror(errno));
  }
}

void discard(Address from, Address to) {
  from = (from + kPage - 1) & ~(kPage - 1);
  to &= ~(kPage - 1);
  if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

}  // namespace heddle::region
