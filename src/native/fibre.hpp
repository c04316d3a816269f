// Switching stacks, for x86-64 and AArch64.
//
// Two things make this several times as fast as a general switch such as Boost.Context's. It leaves the floating-point
// control words alone; nothing that a program may call changes them (library/native.cpp). And it is inlined, without a
// call or a return: the processor predicts returns by counting calls, so that a call on one stack whose return is on
// another would spoil the predictions of all the returns that follow.
//
// AddressSanitizer must be told of each switch: it asks where the stack ends when a function does not return, and
// marks the frames of functions in its own memory. Only enter, leave and begin know of it, and in other builds they are
// nothing but the switch. There a fibre may also leave for another fibre (kPassOn), not only for the host.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace heddle::fibre {

// A suspended stack: its top, where the address to go on at is saved.
using Context = void*;

// A fibre that will run function(argument) on the stack that ends at `top`. The function must not return. An unwinder
// that comes to its frame finds the end of the stack.
Context make(void* top, void (*function)(void*), void* argument);

struct Stack {
  const void* low = nullptr;
  std::size_t size = 0;
};

// Saves the current stack in *from and continues `to`. Returns when *from is continued.
#if defined(__x86_64__)

[[gnu::always_inline]] inline void switch_to(Context* from, Context to) {
#if defined(__AVX512F__)
#define HEDDLE_MORE_REGISTERS                                                                                   \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
      "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define HEDDLE_MORE_REGISTERS
#endif
  // The compiler saves what it needs of the clobbered registers. rbx and rbp cannot be clobbered everywhere. The
  // first instruction skips the red zone, which the compiler may use without telling.
  asm volatile(
      "lea -128(%%rsp), %%rsp\n\t"
      "push %%rbp\n\t"
      "push %%rbx\n\t"
      "lea 1f(%%rip), %%rcx\n\t"
      "push %%rcx\n\t"
      "mov %%rsp, (%%rdi)\n\t"
      "mov %%rsi, %%rsp\n\t"
      "pop %%rcx\n\t"
      "jmp *%%rcx\n"
      "1:\n\t"
      "pop %%rbx\n\t"
      "pop %%rbp\n\t"
      "lea 128(%%rsp), %%rsp"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3",
        "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory",
        "cc" HEDDLE_MORE_REGISTERS);
#undef HEDDLE_MORE_REGISTERS
}

#elif defined(__aarch64__)

[[gnu::always_inline]] inline void switch_to(Context* from, Context to) {
  // The compiler saves what it needs of the clobbered registers. x29, x30 and x19 cannot be clobbered everywhere. There
  // is no red zone. The landing pad (bti j) is a no-op where branch targets are not guarded.
  register Context* from_register asm("x0") = from;
  register Context to_register asm("x1") = to;
  asm volatile(
      "stp x29, x30, [sp, #-32]!\n\t"
      "adr x16, 1f\n\t"
      "stp x19, x16, [sp, #16]\n\t"
      "mov x17, sp\n\t"
      "str x17, [x0]\n\t"
      "mov sp, x1\n\t"
      "ldr x16, [x1, #24]\n\t"
      "br x16\n"
      "1:\n\t"
      "hint #36\n\t"
      "ldr x19, [sp, #16]\n\t"
      "ldp x29, x30, [sp], #32"
      : "+r"(from_register), "+r"(to_register)
      :
      : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18",
        "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7",
        "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
        "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "memory", "cc");
}

#else
#error "heddle runs on x86-64 and AArch64 only"
#endif

#if defined(__SANITIZE_ADDRESS__)

inline constexpr bool kPassOn = false;

inline Stack host_stack;  // of the host code that has entered a fibre last

// The host continues a fibre that runs on `stack`.
[[gnu::always_inline]] inline void enter(Context* host, Context fibre, Stack stack) {
  void* frames = nullptr;
  __sanitizer_start_switch_fiber(&frames, stack.low, stack.size);
  switch_to(host, fibre);
  __sanitizer_finish_switch_fiber(frames, nullptr, nullptr);
}
// A fibre goes back to the host, perhaps for good. It may be on a signal stack.
[[gnu::always_inline]] inline void leave(Context* fibre, Context host) {
  void* frames = nullptr;
  __sanitizer_start_switch_fiber(&frames, host_stack.low, host_stack.size);
  switch_to(fibre, host);
  __sanitizer_finish_switch_fiber(frames, &host_stack.low, &host_stack.size);
}
// A fibre's function calls this first.
inline void begin() { __sanitizer_finish_switch_fiber(nullptr, &host_stack.low, &host_stack.size); }
// A stack is used afresh. Frames that were never left, those of the fibre that was left at `last`, are still marked.
void forget_frames(Stack stack, Context last);
// An exception has arrived here, on this stack, and has passed frames of ours that are still marked.
void forget_passed_frames(Stack stack);

// A copy of the part of a suspended stack that is in use, `size` bytes, to be put back later, with its marks. It takes
// kept_size(size) bytes. All are multiples of 8.
constexpr std::size_t kept_size(std::size_t size) { return size + ((size / 8 + 7) & ~std::size_t{7}); }
void keep(Context fibre, void* to, std::size_t size);
void put_back(Context fibre, const void* from, std::size_t size);

#else

inline constexpr bool kPassOn = true;

[[gnu::always_inline]] inline void enter(Context* host, Context fibre, Stack) { switch_to(host, fibre); }
[[gnu::always_inline]] inline void leave(Context* fibre, Context host) { switch_to(fibre, host); }
inline void begin() {}
inline void forget_frames(Stack, Context) {}
inline void forget_passed_frames(Stack) {}

constexpr std::size_t kept_size(std::size_t size) { return size; }
inline void keep(Context fibre, void* to, std::size_t size) { std::memcpy(to, fibre, size); }
inline void put_back(Context fibre, const void* from, std::size_t size) { std::memcpy(fibre, from, size); }

#endif

}  // namespace heddle::fibre
