#include "machine/fibre.hpp"

#include <cstdint>

namespace heddle::fibre {
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

}  // namespace heddle::fibre
