// Random numbers: one sequence per thread, the same in every execution. std::random_device and the kernel's entropy
// draw from it, too.
#include <sys/random.h>

#include <algorithm>
#include <cerrno>

#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

constexpr uint64_t kMultiplier = 6364136223846793005u;
constexpr uint64_t kIncrement = 1442695040888963407u;

uint32_t next(uint64_t& state) {
  state = state * kMultiplier + kIncrement;
  return static_cast<uint32_t>(state >> 32);
}
long next_positive(uint64_t& state) { return next(state) >> 1; }
// The seed follows from the thread's path.
uint64_t& sequence() {
  OfThread& of = mine();
  if (!of.seeded) of.random = static_cast<uint64_t>(rt.current->path) + 1;
  of.seeded = true;
  return of.random;
}
int rand_() { return static_cast<int>(next_positive(sequence())); }
long random_() { return next_positive(sequence()); }
long mrand48_() { return static_cast<int32_t>(next(sequence())); }
double drand48_() { return static_cast<double>(next_positive(sequence())) / 2147483648.0; }
void srand_(unsigned seed) { sequence() = seed; }
void srand48_(long seed) { sequence() = static_cast<uint64_t>(seed); }
int rand_r_(unsigned* state) {
  uint64_t wide = plain_get(state);
  const long value = next_positive(wide);
  plain_put(state, static_cast<unsigned>(wide >> 16));
  return static_cast<int>(value);
}

void fill(void* to, std::size_t size) {
  for (std::size_t i = 0; i < size; i += 4) {
    const uint32_t bits = next(sequence());
    plain_write(address(to) + i, &bits, std::min<std::size_t>(4, size - i));
  }
}
ssize_t getrandom_(void* to, std::size_t size, unsigned flags) {
  if ((flags & ~(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE)) != 0) {
    set_error_number(EINVAL);
    return -1;
  }
  fill(to, size);
  return static_cast<ssize_t>(size);
}
int getentropy_(void* to, std::size_t size) {
  if (size > 256) {
    set_error_number(EIO);
    return -1;
  }
  fill(to, size);
  return 0;
}
uint32_t arc4random_() { return next(sequence()); }
uint32_t arc4random_uniform_(uint32_t bound) { return bound < 2 ? 0 : next(sequence()) % bound; }

// Members of std::random_device. The object itself holds nothing.
void device_init(void*, const void*) {}
void device_end(void*) {}
unsigned device_value(void*) { return next(sequence()); }
double device_entropy(const void*) { return 0; }

}  // namespace

std::span<const Row> random_functions() {
  static const Row table[] = {
      row("rand", rand_, kTellsThreadsApart),
      row("random", random_, kTellsThreadsApart),
      row("lrand48", random_, kTellsThreadsApart),
      row("mrand48", mrand48_, kTellsThreadsApart),
      row("drand48", drand48_, kTellsThreadsApart),
      row("srand", srand_),
      row("srandom", srand_),
      row("srand48", srand48_),
      row("rand_r", rand_r_),
      row("getrandom", getrandom_, kTellsThreadsApart),
      row("getentropy", getentropy_, kTellsThreadsApart),
      row("arc4random", arc4random_, kTellsThreadsApart),
      row("arc4random_uniform", arc4random_uniform_, kTellsThreadsApart),
      row("arc4random_buf", fill, kTellsThreadsApart),
      row("_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", device_init),
      row("_ZNSt13random_device7_M_finiEv", device_end),
      row("_ZNSt13random_device9_M_getvalEv", device_value, kTellsThreadsApart),
      row("_ZNKSt13random_device13_M_getentropyEv", device_entropy),
  };
  return table;
}

}  // namespace heddle::library
