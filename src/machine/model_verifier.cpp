// What a test says to the checker: assumptions, choices, assertions; and the ends of a process.
#include <fmt/format.h>

#include "machine/access.hpp"
#include "machine/models.hpp"

namespace heddle::models {
namespace {

void assume(bool condition) {
  if (!condition) block(BlockReason::assume);
}
void assume_int(int condition) { assume(condition != 0); }

uint32_t choose_(uint32_t bound) {
  if (bound == 0) fail(ErrorKind::assertion, "heddle_choose(0): there is nothing to choose from");
  return static_cast<uint32_t>(choose(bound));
}

[[noreturn]] void fail_assertion(const char* what) {
  HostScope scope;
  fail(ErrorKind::assertion, what);
}
void assert_(bool condition) {
  if (!condition) fail_assertion("assertion failed");
}
void assert_fail(const char* expression, const char*, unsigned, const char*) {
  HostScope scope;
  fail(ErrorKind::assertion, fmt::format("assertion failed: {}", expression));
}
void assert_old(const char* expression, const char*, int) {
  HostScope scope;
  fail(ErrorKind::assertion, fmt::format("assertion failed: {}", expression));
}
// A check inside libstdc++ (_GLIBCXX_ASSERTIONS).
void library_assert_fail(const char*, int, const char*, const char* condition) {
  HostScope scope;
  fail(ErrorKind::assertion, fmt::format("assertion failed in the C++ library: {}", condition));
}
void error() { fail_assertion("an error location was reached"); }

template <typename T>
T nondet() {
  const unsigned bound = rt.options.nondet_bound;
  if (bound == 0)
    refuse(
        fmt::format("__VERIFIER_nondet_* has too many values to try them all ({}); use heddle_choose(n), or "
                    "bound it with --nondet N to the values 0 .. N-1",
                    place(rt.site)));
  return static_cast<T>(choose(bound));
}
bool nondet_bool() { return choose(2) != 0; }

// What the other threads would do after an exit(0) they could have done before it, so only this thread ends.
// The other threads go on: what they do now they could have done just before.
void end_process(int status) {
  if (status == 0) block(BlockReason::ended);
  HostScope scope;
  fail(ErrorKind::exit, fmt::format("exit({}) was called", status));
}
void exit_(int status) {
  const SiteId site = rt.site;
  run_exit_handlers();
  rt.site = site;
  end_process(status);
}
void abort_() { fail(ErrorKind::crash, "abort() was called"); }

// Annotations of GenMC that do not change what a program may do.
void annotation() {}

}  // namespace

std::span<const Entry> verifier_functions() {
  static const Entry table[] = {
      entry("heddle_assume", assume),
      entry("heddle_choose", choose_),
      entry("heddle_assert", assert_),
      entry("__assert_fail", assert_fail),
      entry("__assert", assert_old),
      entry("_ZSt21__glibcxx_assert_failPKciS0_S0_", library_assert_fail),
      entry("abort", abort_),
      entry("exit", exit_),
      entry("_exit", end_process),
      entry("_Exit", end_process),
      entry("quick_exit", end_process),
      entry("reach_error", error),
      entry("__VERIFIER_error", error),
      entry("__VERIFIER_assume", assume_int),
      entry("__VERIFIER_nondet_bool", nondet_bool),
      entry("__VERIFIER_nondet_char", nondet<char>),
      entry("__VERIFIER_nondet_uchar", nondet<unsigned char>),
      entry("__VERIFIER_nondet_short", nondet<short>),
      entry("__VERIFIER_nondet_ushort", nondet<unsigned short>),
      entry("__VERIFIER_nondet_int", nondet<int>),
      entry("__VERIFIER_nondet_uint", nondet<unsigned>),
      entry("__VERIFIER_nondet_unsigned", nondet<unsigned>),
      entry("__VERIFIER_nondet_unsigned_int", nondet<unsigned>),
      entry("__VERIFIER_nondet_long", nondet<long>),
      entry("__VERIFIER_nondet_ulong", nondet<unsigned long>),
      entry("__VERIFIER_nondet_longlong", nondet<long long>),
      entry("__VERIFIER_nondet_ulonglong", nondet<unsigned long long>),
      entry("__VERIFIER_nondet_size_t", nondet<std::size_t>),
      entry("__VERIFIER_nondet_float", nondet<float>),
      entry("__VERIFIER_nondet_double", nondet<double>),
      entry("__VERIFIER_spin_start", annotation),
      entry("__VERIFIER_spin_end", annotation),
  };
  return table;
}

}  // namespace heddle::models
