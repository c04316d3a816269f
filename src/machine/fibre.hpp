// Switching stacks, for x86-64.
//
// Two things make this several times as fast as a general switch such as Boost.Context's. It leaves the floating-point
// control words alone; nothing that a program may call changes them (library.cpp). And it is inlined, without a call or
// a return: the processor predicts returns by counting calls, so that a call on one stack whose return is on another
// would spoil the predictions of all the returns that follow.
#pragma once

namespace heddle::fibre {

#ifndef __x86_64__
#error "heddle runs on x86-64 only"
#endif

// A suspended stack: its top, where the address to go on at is saved.
using Context = void*;

// A fibre that will run function(argument) on the stack that ends at `top`. The function must not return. An unwinder
// that comes to its frame finds the end of the stack.
Context make(void* top, void (*function)(void*), void* argument);

// Saves the current stack in *from and continues `to`. Returns when somebody continues *from.
[[gnu::always_inline]] inline void switch_to(Context* from, Context to) {
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
        "cc");
}

}  // namespace heddle::fibre
