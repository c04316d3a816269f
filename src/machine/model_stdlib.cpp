// The parts of the C library that have state, call back, or look at the world: here they always give the same answer.
#include <sys/time.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

#include "machine/access.hpp"
#include "machine/models.hpp"

namespace heddle::models {
namespace {

// Random numbers: one sequence per thread, the same in every execution.
constexpr uint64_t kMultiplier = 6364136223846793005u;
constexpr uint64_t kIncrement = 1442695040888963407u;

long next_random(uint64_t& state) {
  state = state * kMultiplier + kIncrement;
  return static_cast<long>(state >> 33);
}
int rand_() { return static_cast<int>(next_random(rt.current->random)); }
long random_() { return next_random(rt.current->random); }
void srand_(unsigned seed) { rt.current->random = seed; }
int rand_r_(unsigned* state) {
  uint64_t wide = plain_get(state);
  const long value = next_random(wide);
  plain_put(state, static_cast<unsigned>(wide >> 16));
  return static_cast<int>(value);
}
double drand48_() { return static_cast<double>(next_random(rt.current->random)) / 2147483648.0; }

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

// The comparison is the program's and checks its own accesses; the moves count as a write of the whole array.
void qsort_(void* start, std::size_t count, std::size_t size, int (*compare)(const void*, const void*)) {
  const std::size_t bytes = count * size;
  if (bytes == 0) return;
  plain_copy(address(start), address(start), bytes);
  std::qsort(start, count, size, compare);
}

// Numbers in text. The text is read by the library; the end pointer is the program's memory.
template <typename T, T (*function)(const char*, char**, int)>
T parse(const char* text, char** end, int radix) {
  char* stop = nullptr;
  abi::__heddle_plain_load1(text, static_cast<uint32_t>(rt.site));
  const T value = function(text, &stop, radix);
  if (end != nullptr) plain_put(end, stop);
  return value;
}
template <typename T, T (*function)(const char*, char**)>
T parse_float(const char* text, char** end) {
  char* stop = nullptr;
  abi::__heddle_plain_load1(text, static_cast<uint32_t>(rt.site));
  const T value = function(text, &stop);
  if (end != nullptr) plain_put(end, stop);
  return value;
}

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

std::span<const Entry> stdlib_functions() {
  static const Entry table[] = {
      entry("rand", rand_),
      entry("random", random_),
      entry("lrand48", random_),
      entry("drand48", drand48_),
      entry("srand", srand_),
      entry("srandom", srand_),
      entry("srand48", srand_),
      entry("rand_r", rand_r_),
      entry("time", time_),
      entry("clock", clock_),
      entry("gettimeofday", gettimeofday_),
      entry("clock_gettime", clock_gettime_),
      entry("timespec_get", timespec_get_),
      entry("sleep", sleep_),
      entry("usleep", sleep_),
      entry("nanosleep", nanosleep_),
      entry("clock_nanosleep", clock_nanosleep_),
      entry("getenv", getenv_),
      entry("secure_getenv", getenv_),
      entry("getpid", getpid_),
      entry("sysconf", sysconf_),
      entry("qsort", qsort_),
      entry("frexp", frexp_<double>),
      entry("frexpf", frexp_<float>),
      entry("modf", modf_<double>),
      entry("modff", modf_<float>),
      entry("strtol", parse<long, std::strtol>),
      entry("__isoc23_strtol", parse<long, std::strtol>),
      entry("strtoul", parse<unsigned long, std::strtoul>),
      entry("strtoll", parse<long long, std::strtoll>),
      entry("strtoull", parse<unsigned long long, std::strtoull>),
      entry("strtod", parse_float<double, std::strtod>),
      entry("strtof", parse_float<float, std::strtof>),
      entry("strtold", parse_float<long double, std::strtold>),
  };
  return table;
}

}  // namespace heddle::models
