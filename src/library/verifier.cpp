// What a test says to the checker: assumptions, choices, assertions; and the ends of a process.
#include <fmt/format.h>

#include "core/add_once.hpp"
#include "library/table.hpp"
#include "native/access.hpp"
#include "native/exits.hpp"

namespace heddle::library {
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

// Values that an input may have, and that are not tried.
void leave_out(unsigned tried) {
  HostScope scope;
  add_once(rt.left_out, {heddle::Limit::inputs, rt.site, tried});
}

template <typename T>
T nondet() {
  const unsigned bound = rt.options.nondet_bound;
  if (bound == 0)
    refuse(
        fmt::format("__VERIFIER_nondet_* has too many values to try them all ({}); use heddle_choose(n), or "
                    "bound it with --nondet N to the values 0 .. N-1",
                    place(rt.site)));
  constexpr uint64_t values = std::is_integral_v<T> && sizeof(T) < 8 ? uint64_t{1} << 8 * (sizeof(T) % 8) : UINT64_MAX;
  if (bound < values) leave_out(bound);
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
  exits::run_exit_handlers();
  rt.site = site;
  end_process(status);
}
void quick_exit_(int status) {
  const SiteId site = rt.site;
  exits::run_quick_exit_handlers();
  rt.site = site;
  end_process(status);
}
void abort_() { fail(ErrorKind::crash, "abort() was called"); }

// Annotations of GenMC that do not change what a program may do.
void annotation() {}

}  // namespace

std::span<const Row> verifier_functions() {
  static const Row table[] = {
      row("heddle_assume", assume, kNoSideEffects | kAssumes),
      row("heddle_choose", choose_, kNoSideEffects),
      row("heddle_assert", assert_, kNoSideEffects),
      row("__assert_fail", assert_fail),
      row("__assert", assert_old),
      row("_ZSt21__glibcxx_assert_failPKciS0_S0_", library_assert_fail),
      row("abort", abort_),
      row("exit", exit_),
      row("_exit", end_process),
      row("_Exit", end_process),
      row("quick_exit", quick_exit_),
      row("reach_error", error),
      row("__VERIFIER_error", error),
      row("__VERIFIER_assume", assume_int, kNoSideEffects | kAssumes),
      row("__VERIFIER_nondet_bool", nondet_bool, kNoSideEffects),
      row("__VERIFIER_nondet_char", nondet<char>),
      row("__VERIFIER_nondet_uchar", nondet<unsigned char>),
      row("__VERIFIER_nondet_short", nondet<short>),
      row("__VERIFIER_nondet_ushort", nondet<unsigned short>),
      row("__VERIFIER_nondet_int", nondet<int>, kNoSideEffects),
      row("__VERIFIER_nondet_uint", nondet<unsigned>),
      row("__VERIFIER_nondet_unsigned", nondet<unsigned>),
      row("__VERIFIER_nondet_unsigned_int", nondet<unsigned>),
      row("__VERIFIER_nondet_long", nondet<long>),
      row("__VERIFIER_nondet_ulong", nondet<unsigned long>),
      row("__VERIFIER_nondet_longlong", nondet<long long>),
      row("__VERIFIER_nondet_ulonglong", nondet<unsigned long long>),
      row("__VERIFIER_nondet_size_t", nondet<std::size_t>),
      row("__VERIFIER_nondet_float", nondet<float>),
      row("__VERIFIER_nondet_double", nondet<double>),
      row("__VERIFIER_loop_begin", annotation, kYields),
      row("__VERIFIER_spin_start", annotation, kYields),
      row("__VERIFIER_spin_end", annotation, kYields),
  };
  return table;
}

}  // namespace heddle::library
