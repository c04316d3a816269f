// The runtime entry points that instrumented code calls. The front end emits calls to these names, the native
// machine defines them, the JIT binds one to the other. All run on the fibre of a model thread.
//
// Orders are passed as static_cast<int>(Mode), operations as static_cast<int>(RmwOp), sites as SiteId.
// Integers narrower than 64 bits travel zero-extended; pointers and floats as their bits.
#pragma once

#include <cstdint>

namespace heddle::abi {

struct CasResult {  // LLVM: { i64, i64 }
  uint64_t old;
  uint64_t success;
};

extern "C" {
// Atomic accesses of 1, 2, 4, 8 bytes.
uint64_t __heddle_load(void* p, int size, int mode, uint32_t site);
void __heddle_store(void* p, int size, uint64_t value, int mode, uint32_t site);
uint64_t __heddle_rmw(void* p, int size, int op, uint64_t operand, int mode, uint32_t site);
CasResult __heddle_cas(void* p, int size, uint64_t expected, uint64_t desired, int mode, int fail_mode, int weak,
                       uint32_t site);
// The same for 16 bytes; values through memory private to the caller.
void __heddle_load16(void* p, void* out, int mode, uint32_t site);
void __heddle_store16(void* p, const void* value, int mode, uint32_t site);
void __heddle_rmw16(void* p, int op, const void* operand, void* old, int mode, uint32_t site);
uint64_t __heddle_cas16(void* p, const void* expected, const void* desired, void* old, int mode, int fail_mode,
                        int weak, uint32_t site);
void __heddle_fence(int mode, uint32_t site);

// Plain accesses to memory that another thread may see. They check the access and do it.
uint64_t __heddle_plain_load1(const void* p, uint32_t site);
uint64_t __heddle_plain_load2(const void* p, uint32_t site);
uint64_t __heddle_plain_load4(const void* p, uint32_t site);
uint64_t __heddle_plain_load8(const void* p, uint32_t site);
void __heddle_plain_store1(void* p, uint64_t value, uint32_t site);
void __heddle_plain_store2(void* p, uint64_t value, uint32_t site);
void __heddle_plain_store4(void* p, uint64_t value, uint32_t site);
void __heddle_plain_store8(void* p, uint64_t value, uint32_t site);
// Any other size (vectors, long double, odd integers); `out` and `value` are private to the caller.
void __heddle_plain_load(const void* p, void* out, uint64_t size, uint32_t site);
void __heddle_plain_store(void* p, const void* value, uint64_t size, uint32_t site);
// As __heddle_plain_loadN, but the bytes may be uninitialised: the read half of a bit-field store.
uint64_t __heddle_plain_peek(const void* p, int size, uint32_t site);
void __heddle_memcpy(void* dst, const void* src, uint64_t size, uint32_t site);
void __heddle_memmove(void* dst, const void* src, uint64_t size, uint32_t site);
void __heddle_memset(void* dst, int byte, uint64_t size, uint32_t site);

// Local variables whose address escapes live in the thread's arena, not on the fibre's stack.
void* __heddle_local_begin(uint64_t size, uint64_t align, uint32_t site);
void __heddle_local_end(void* p, uint32_t site);

// This thread's copy of the program's thread_local block (Image::tls).
void* __heddle_tls();

// Before each call of a function that the machine models (pthread_create, malloc, abort, …).
void __heddle_at(uint32_t site);

// Loops. Each back edge takes one off __heddle_fuel, inline, and calls __heddle_spin when that makes it negative: so
// the work between two visible actions is bounded at no cost. The machine defines the variable and fills it up whenever
// it likes (at each visible action, or at each switch of threads); __heddle_spin returns if it has filled it up again.
// With --unroll N the front end counts how often each entry of a loop goes back and calls __heddle_cut (which does
// not return) at the time N + 1.
extern int64_t __heddle_fuel;
void __heddle_spin(uint32_t site);
void __heddle_cut(uint32_t site);

// A trap that the front end has put where the program has undefined behaviour (llvm.trap, unreachable reached).
void __heddle_trap(uint32_t site);
// A division by zero, or one whose quotient does not fit.
void __heddle_division(uint32_t site);
// An access outside a private array.
void __heddle_out_of_bounds(uint32_t site);
}

}  // namespace heddle::abi
