#include "native/fibre.hpp"

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace heddle::fibre {

#if defined(__x86_64__)

namespace {

[[gnu::naked, gnu::noinline]] void start() { asm("pop %rdi\n\tpop %rax\n\tjmp *%rax"); }

}  // namespace

Context make(void* top, void (*function)(void*), void* argument) {
  auto* sp = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15});
  // The function starts as if called, 8 off a multiple of 16, with a return address that is no code.
  *--sp = 0;
  *--sp = reinterpret_cast<uint64_t>(function);
  *--sp = reinterpret_cast<uint64_t>(argument);
  *--sp = reinterpret_cast<uint64_t>(&start);
  return sp;
}

#elif defined(__aarch64__)

// GCC has no naked functions here. The return address and the frame pointer say that there is no caller.
extern "C" void heddle_fibre_start();
asm(".text\n\t"
    ".p2align 2\n\t"
    ".hidden heddle_fibre_start\n\t"
    ".globl heddle_fibre_start\n\t"
    ".type heddle_fibre_start, %function\n"
    "heddle_fibre_start:\n\t"
    "hint #36\n\t"
    "ldp x0, x16, [sp], #32\n\t"
    "mov x29, xzr\n\t"
    "mov x30, xzr\n\t"
    "br x16\n\t"
    ".size heddle_fibre_start, . - heddle_fibre_start");

Context make(void* top, void (*function)(void*), void* argument) {
  auto* sp = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15});
  *--sp = reinterpret_cast<uint64_t>(&heddle_fibre_start);
  *--sp = 0;
  *--sp = reinterpret_cast<uint64_t>(function);
  *--sp = reinterpret_cast<uint64_t>(argument);
  return sp;
}

#endif

#if defined(__SANITIZE_ADDRESS__)

// What lies below the frame that a fibre left from has returned, or was passed by an exception, of which
// AddressSanitizer knows. Not so if it left from a signal stack.
void forget_frames(Stack stack, Context last) {
  const auto* const low = static_cast<const char*>(stack.low);
  const auto* const from = static_cast<const char*>(last);
  const bool on_stack = from >= low && from < low + stack.size;
  const char* const start = on_stack ? from : low;
  __asan_unpoison_memory_region(start, static_cast<std::size_t>(low + stack.size - start));
}

namespace {

// Stacks have parts that AddressSanitizer lets no code touch, so the usual functions do not copy them.
[[gnu::no_sanitize_address, gnu::noinline]] void copy(void* to, const void* from, std::size_t size) {
  auto* const out = static_cast<volatile char*>(to);
  const auto* const in = static_cast<const volatile char*>(from);
  for (std::size_t i = 0; i < size; ++i) out[i] = in[i];
}

void* marks_of(Context fibre) {
  std::size_t scale = 0;
  std::size_t offset = 0;
  __asan_get_shadow_mapping(&scale, &offset);
  return reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(fibre) >> scale) + offset);
}

}  // namespace

void keep(Context fibre, void* to, std::size_t size) {
  copy(to, fibre, size);
  copy(static_cast<char*>(to) + size, marks_of(fibre), size / 8);
}

void put_back(Context fibre, const void* from, std::size_t size) {
  copy(fibre, from, size);
  copy(marks_of(fibre), static_cast<const char*>(from) + size, size / 8);
}

void forget_passed_frames(Stack stack) {
  const auto* const here = static_cast<const char*>(__builtin_frame_address(0));
  __asan_unpoison_memory_region(stack.low, static_cast<std::size_t>(here - static_cast<const char*>(stack.low)));
}

#endif

}  // namespace heddle::fibre

#if defined(__SANITIZE_ADDRESS__)

// Abandoned fibres own memory that is never freed, and the stand-ins of their frames would not be freed either. A
// signal of ours is the supervisor's to report.
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:detect_stack_use_after_return=0:handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0";
}

#endif
