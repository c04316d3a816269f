// malloc and its relatives, operator new and delete.
//
// The program's calls go to the functions of the table. Native library code that runs on a fibre calls the
// process-wide operators at the end of this file; memory that it allocates counts as initialised, because what it
// writes there is not seen.
#include <fmt/format.h>
#include <malloc.h>

#include <bit>
#include <cerrno>
#include <new>

#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"
#include "native/changes.hpp"
#include "native/lifetime.hpp"

namespace heddle::library {
namespace {

// More than any address space has. What is less, but more than there is room for, heap::allocate refuses by name: a
// real machine may have it.
constexpr bool impossible(std::size_t size) { return size >= 1ull << 48; }
constexpr bool valid_alignment(std::size_t align) { return align != 0 && (align & (align - 1)) == 0; }

void* allocate(std::size_t size, std::size_t align, BlockKind kind, bool initialised) {
  void* const p = heap::allocate(size, align, kind, initialised);
  changes::note_allocated(address(p));
  return p;
}

void* malloc_aligned(std::size_t align, std::size_t size) {
  if (!valid_alignment(align) && rt.odd_alignment_at == kNoSite) {
    rt.odd_alignment = align;
    rt.odd_alignment_at = rt.site;
  }
  if (!valid_alignment(align) || impossible(size) || impossible(align)) {
    set_error_number(valid_alignment(align) ? ENOMEM : EINVAL);
    return nullptr;
  }
  return allocate(size, align, BlockKind::malloc, false);
}

void* malloc_(std::size_t size) { return malloc_aligned(16, size); }

void* calloc_(std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || impossible(bytes)) {
    set_error_number(ENOMEM);
    return nullptr;
  }
  return allocate(bytes, 16, BlockKind::malloc, true);
}

void free_(void* p) { lifetime::release(p, BlockKind::malloc); }

// As glibc: a size of 0 frees the block.
void* realloc_(void* p, std::size_t size) {
  if (p == nullptr) return malloc_(size);
  if (size == 0) {
    free_(p);
    return nullptr;
  }
  const Block* const old = heap::find(address(p));
  if (old == nullptr || old->start != address(p) || old->freed) free_(p);  // says what is wrong
  const std::size_t keep = old == nullptr ? 0 : std::min<std::size_t>(old->size, size);
  void* const to = malloc_(size);
  if (to == nullptr) return nullptr;
  plain_copy(address(to), address(p), keep);
  free_(p);
  return to;
}

void* reallocarray_(void* p, std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return realloc_(p, bytes);
  set_error_number(ENOMEM);
  return nullptr;
}

int posix_memalign_(void** out, std::size_t align, std::size_t size) {
  if (!valid_alignment(align) || align % sizeof(void*) != 0) return EINVAL;
  if (impossible(size) || impossible(align)) return ENOMEM;
  plain_put(out, malloc_aligned(align, size));
  return 0;
}

void* valloc_(std::size_t size) { return malloc_aligned(4096, size); }

std::size_t usable_size(void* p) {
  const Block* const b = heap::find(address(p));
  return b == nullptr ? 0 : b->size;
}

template <BlockKind kind>
void* new_nothrow(std::size_t size, std::align_val_t align) noexcept {
  return impossible(size) ? nullptr : allocate(size, static_cast<std::size_t>(align), kind, false);
}
template <BlockKind kind>
void* new_aligned(std::size_t size, std::align_val_t align) {
  if (impossible(size)) throw std::bad_alloc();
  return new_nothrow<kind>(size, align);
}
template <BlockKind kind>
void* new_plain(std::size_t size) {
  return new_aligned<kind>(size, std::align_val_t(16));
}
template <BlockKind kind>
void* new_plain_nothrow(std::size_t size, const std::nothrow_t&) noexcept {
  return new_nothrow<kind>(size, std::align_val_t(16));
}
template <BlockKind kind>
void* new_aligned_nothrow(std::size_t size, std::align_val_t align, const std::nothrow_t&) noexcept {
  return new_nothrow<kind>(size, align);
}
// A delete names the kind again; a block that is released otherwise than it was made is an error.
[[noreturn]] void fail_other_form(const Block& b, const std::string& how) {
  fail(ErrorKind::memory, fmt::format("{} is released with operator delete {}", heap::describe(b), how), kNoThread,
       b.site);
}
const Block* living(void* p, BlockKind kind) {
  const Block* const b = p == nullptr ? nullptr : heap::starting_at(address(p));
  return b != nullptr && !b->freed && b->kind == kind ? b : nullptr;
}
void check_size(void* p, BlockKind kind, std::size_t size) {
  const Block* const b = living(p, kind);
  if (b == nullptr || b->size == size) return;
  HostScope scope;
  fail_other_form(*b, fmt::format("for a size of {}", size));
}
// Alignments that new has anyhow need not be said.
void check_alignment(void* p, BlockKind kind, std::size_t align) {
  constexpr unsigned kUsual = 4;
  const Block* const b = living(p, kind);
  if (b == nullptr || b->align == 0) return;
  const auto said = static_cast<unsigned>(std::bit_width(align) - 1);
  if (b->align == said || (b->align <= kUsual && said <= kUsual)) return;
  HostScope scope;
  fail_other_form(*b,
                  said <= kUsual ? std::string("without its alignment") : fmt::format("for an alignment of {}", align));
}

template <BlockKind kind>
void delete_aligned(void* p, std::size_t align) {
  check_alignment(p, kind, align);
  lifetime::release(p, kind);
}
template <BlockKind kind>
void delete_sized_aligned(void* p, std::size_t size, std::size_t align) {
  check_size(p, kind, size);
  delete_aligned<kind>(p, align);
}
template <BlockKind kind>
void delete_(void* p) {
  delete_aligned<kind>(p, 16);
}
template <BlockKind kind>
void delete_sized(void* p, std::size_t size) {
  delete_sized_aligned<kind>(p, size, 16);
}
template <BlockKind kind>
void delete_nothrow(void* p, const std::nothrow_t&) {
  delete_<kind>(p);
}
template <BlockKind kind>
void delete_aligned_nothrow(void* p, std::size_t align, const std::nothrow_t&) {
  delete_aligned<kind>(p, align);
}

}  // namespace

std::span<const Row> memory_functions() {
  constexpr auto object = BlockKind::new_object;
  constexpr auto array = BlockKind::new_array;
  static const Row table[] = {
      row("malloc", malloc_, kTellsChanges),
      row("calloc", calloc_, kTellsChanges),
      row("realloc", realloc_),
      row("reallocarray", reallocarray_),
      row("free", free_, kFrees),
      row("cfree", free_, kFrees),
      row("aligned_alloc", malloc_aligned, kTellsChanges),
      row("memalign", malloc_aligned, kTellsChanges),
      row("posix_memalign", posix_memalign_),
      row("valloc", valloc_, kTellsChanges),
      row("malloc_usable_size", usable_size),
      row("_Znwm", new_plain<object>, kTellsChanges),
      row("_Znam", new_plain<array>, kTellsChanges),
      row("_ZnwmSt11align_val_t", new_aligned<object>, kTellsChanges),
      row("_ZnamSt11align_val_t", new_aligned<array>, kTellsChanges),
      row("_ZnwmRKSt9nothrow_t", new_plain_nothrow<object>, kTellsChanges),
      row("_ZnamRKSt9nothrow_t", new_plain_nothrow<array>, kTellsChanges),
      row("_ZnwmSt11align_val_tRKSt9nothrow_t", new_aligned_nothrow<object>, kTellsChanges),
      row("_ZnamSt11align_val_tRKSt9nothrow_t", new_aligned_nothrow<array>, kTellsChanges),
      row("_ZdlPv", delete_<object>, kFrees),
      row("_ZdaPv", delete_<array>, kFrees),
      row("_ZdlPvm", delete_sized<object>, kFrees),
      row("_ZdaPvm", delete_sized<array>, kFrees),
      row("_ZdlPvSt11align_val_t", delete_aligned<object>, kFrees),
      row("_ZdaPvSt11align_val_t", delete_aligned<array>, kFrees),
      row("_ZdlPvmSt11align_val_t", delete_sized_aligned<object>, kFrees),
      row("_ZdaPvmSt11align_val_t", delete_sized_aligned<array>, kFrees),
      row("_ZdlPvRKSt9nothrow_t", delete_nothrow<object>, kFrees),
      row("_ZdaPvRKSt9nothrow_t", delete_nothrow<array>, kFrees),
      row("_ZdlPvSt11align_val_tRKSt9nothrow_t", delete_aligned_nothrow<object>, kFrees),
      row("_ZdaPvSt11align_val_tRKSt9nothrow_t", delete_aligned_nothrow<array>, kFrees),
  };
  return table;
}

}  // namespace heddle::library

namespace {

bool for_program() { return heddle::rt.current != nullptr && !heddle::host::allocates; }

void* allocate_or_null(std::size_t size, std::size_t align) noexcept {
  using namespace heddle;
  if (for_program()) return heap::allocate(size, align, BlockKind::native, true);
  size = size == 0 ? 1 : size;
  return align <= 16 ? std::malloc(size) : std::aligned_alloc(align, (size + align - 1) & ~(align - 1));
}

void* allocate_or_throw(std::size_t size, std::size_t align) {
  void* const p = allocate_or_null(size, align);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

// A block of the arena that the host lets go of vanishes with the execution.
void release(void* p) noexcept {
  using namespace heddle;
  if (!region::in_arena(address(p))) return std::free(p);
  if (for_program()) lifetime::release(p, BlockKind::native);
}

}  // namespace

void* operator new(std::size_t n) { return allocate_or_throw(n, 16); }
void* operator new[](std::size_t n) { return allocate_or_throw(n, 16); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate_or_throw(n, std::size_t(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate_or_throw(n, std::size_t(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate_or_null(n, 16); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate_or_null(n, 16); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, std::size_t(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, std::size_t(a));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { release(p); }
