#include "native/fibre.hpp"

#include <cstdint>

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

// GCC has no naked functions here. The return address and the frame pointer say that nobody has called.
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

}  // namespace heddle::fibre
