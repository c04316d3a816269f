#include "image/region.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/assert.hpp"
#include "core/error.hpp"

namespace heddle::region {
namespace {

// The first page stays empty: libgcc ignores the unwind table of a function whose address ends in 32 zero bits.
std::size_t image_used = kPage;

}  // namespace

void* map(Address at, std::size_t bytes, int protection) {
  if (static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) != kPage)
    throw UserError("heddle needs a kernel with pages of 4 KiB");
  HEDDLE_ASSERT(at % kPage == 0);
  void* const p = mmap(reinterpret_cast<void*>(at), bytes, protection,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (p == MAP_FAILED) {
    throw UserError(std::string("cannot reserve memory for the program (") + std::strerror(errno) +
                    "); is the address space limited (ulimit -v, vm.overcommit_memory=2)?");
  }
  HEDDLE_ASSERT(reinterpret_cast<Address>(p) == at);  // a kernel before 4.17 takes a fixed place for a hint
  // A huge page per arena, stack and shadow would cost megabytes for each thread's few bytes.
  madvise(p, bytes, MADV_NOHUGEPAGE);
  return p;
}

void* map_image(std::size_t bytes) {
  bytes = (bytes + kPage - 1) & ~(kPage - 1);
  if (bytes > kImageSize - image_used) throw UserError("the program's code and data exceed 1 GiB");
  void* const p = map(kBase + image_used, bytes, PROT_READ | PROT_WRITE);
  image_used += bytes;
  HEDDLE_ASSERT(image_used % kPage == 0 && image_used <= kImageSize && in_image(reinterpret_cast<Address>(p)));
  return p;
}

void unmap_image() {
  HEDDLE_ASSERT(image_used >= kPage);  // the first page stays empty
  if (image_used != kPage) munmap(reinterpret_cast<void*>(kBase + kPage), image_used - kPage);
  image_used = kPage;
}

Address image_start() { return kBase + kPage; }
Address image_end() { return kBase + image_used; }

}  // namespace heddle::region
