// The parts of the C library that have state, call back, or look at the world: here they always give the same answer.
#include <sys/time.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

// Random numbers: one sequence per thread, the same in every execution.
constexpr uint64_t kMultiplier = 6364136223846793005u;
constexpr uint64_t kIncrement = 1442695040888963407u;

long next_random(uint64_t& state) {
  state = state * kMultiplier + kIncrement;
  return static_cast<long>(state >> 33);
}
// The seed follows from the thread's path.
uint64_t& sequence() {
  OfThread& of = mine();
  if (!of.seeded) of.random = static_cast<uint64_t>(rt.current->path) + 1;
  of.seeded = true;
  return of.random;
}
int rand_() { return static_cast<int>(next_random(sequence())); }
long random_() { return next_random(sequence()); }
void srand_(unsigned seed) { sequence() = seed; }
int rand_r_(unsigned* state) {
  uint64_t wide = plain_get(state);
  const long value = next_random(wide);
  plain_put(state, static_cast<unsigned>(wide >> 16));
  return static_cast<int>(value);
}
double drand48_() { return static_cast<double>(next_random(sequence())) / 2147483648.0; }

// The clock stands still.
constexpr time_t kNow = 1'700'000'000;

time_t time_(time_t* out) {
  if (out != nullptr) plain_put(out, kNow);
  return kNow;
}
clock_t clock_() { return 0; }
int gettimeofday_(timeval* out, void*) {
  plain_put(out, timeval{kNow, 0});
  return 0;
}
int clock_gettime_(clockid_t, timespec* out) {
  plain_put(out, timespec{kNow, 0});
  return 0;
}
int timespec_get_(timespec* out, int base) {
  plain_put(out, timespec{kNow, 0});
  return base;
}
int sleep_(unsigned) { return 0; }
int nanosleep_(const timespec*, timespec*) { return 0; }
int clock_nanosleep_(clockid_t, int, const timespec*, timespec*) { return 0; }

char* getenv_(const char*) { return nullptr; }
int getpid_() { return 1; }
long sysconf_(int) { return 4; }

template <typename T>
T frexp_(T x, int* exponent) {
  int e = 0;
  const T fraction = std::frexp(x, &e);
  plain_put(exponent, e);
  return fraction;
}
template <typename T>
T modf_(T x, T* whole) {
  T w = 0;
  const T fraction = std::modf(x, &w);
  plain_put(whole, w);
  return fraction;
}

}  // namespace

std::span<const Row> stdlib_functions() {
  static const Row table[] = {
      row("rand", rand_, kTellsThreadsApart),
      row("random", random_, kTellsThreadsApart),
      row("lrand48", random_, kTellsThreadsApart),
      row("drand48", drand48_, kTellsThreadsApart),
      row("srand", srand_),
      row("srandom", srand_),
      row("srand48", srand_),
      row("rand_r", rand_r_),
      row("time", time_),
      row("clock", clock_),
      row("gettimeofday", gettimeofday_),
      row("clock_gettime", clock_gettime_),
      row("timespec_get", timespec_get_),
      row("sleep", sleep_),
      row("usleep", sleep_),
      row("nanosleep", nanosleep_),
      row("clock_nanosleep", clock_nanosleep_),
      row("getenv", getenv_),
      row("secure_getenv", getenv_),
      row("getpid", getpid_),
      row("sysconf", sysconf_),
      row("frexp", frexp_<double>),
      row("frexpf", frexp_<float>),
      row("modf", modf_<double>),
      row("modff", modf_<float>),
  };
  return table;
}

}  // namespace heddle::library
