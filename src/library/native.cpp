// What is called in the real library as it is: functions that only compute, and the out-of-line part of the C++
// library.
#include <algorithm>

#include "library/table.hpp"

namespace heddle::library {

std::span<const Row> native_functions() {
  static constexpr Row table[] = {
      // stdlib.h
      native("abs"),
      native("labs"),
      native("llabs"),
      native("div"),
      native("ldiv"),
      native("lldiv"),
      native("atoi"),
      native("atol"),
      native("atoll"),
      native("atof"),
      native("bsearch"),
      native("ffs"),
      native("ffsl"),
      native("ffsll"),
      // ctype.h, wctype.h
      native("isalnum"),
      native("isalpha"),
      native("isblank"),
      native("iscntrl"),
      native("isdigit"),
      native("isgraph"),
      native("islower"),
      native("isprint"),
      native("ispunct"),
      native("isspace"),
      native("isupper"),
      native("isxdigit"),
      native("tolower"),
      native("toupper"),
      native("isascii"),
      native("toascii"),
      native("__ctype_b_loc"),
      native("__ctype_tolower_loc"),
      native("__ctype_toupper_loc"),
      native("iswalpha"),
      native("iswdigit"),
      native("iswspace"),
      native("iswupper"),
      native("iswlower"),
      native("towlower"),
      native("towupper"),
      // errno.h, string.h
      native("strerror"),
      // stdio.h
      native("stdout"),
      native("stderr"),
      // math.h; not fesetround and the like, see native/fibre.hpp
      native("fegetround"),
      native("__fpclassify"),
      native("__fpclassifyf"),
      native("__isnan"),
      native("__isinf"),
      native("__finite"),
      native("__signbit"),
      native("__signbitf"),
      // byte order
      native("htonl"),
      native("htons"),
      native("ntohl"),
      native("ntohs"),
      // the compiler's helpers
      native("__udivti3"),
      native("__umodti3"),
      native("__divti3"),
      native("__modti3"),
      native("__multi3"),
      native("__popcountdi2"),
      native("__floattidf"),
      native("__floatuntidf"),
      native("__fixdfti"),
      native("__fixunsdfti"),
      native("__ashlti3"),
      native("__lshrti3"),
      native("__ashrti3"),
      native("__stack_chk_fail"),
      // long double of 128 bits
      native("__addtf3"),
      native("__subtf3"),
      native("__multf3"),
      native("__divtf3"),
      native("__negtf2"),
      native("__powitf2"),
      native("__eqtf2"),
      native("__netf2"),
      native("__lttf2"),
      native("__letf2"),
      native("__gttf2"),
      native("__getf2"),
      native("__unordtf2"),
      native("__extendsftf2"),
      native("__extenddftf2"),
      native("__trunctfsf2"),
      native("__trunctfdf2"),
      native("__fixtfsi"),
      native("__fixtfdi"),
      native("__fixtfti"),
      native("__fixunstfsi"),
      native("__fixunstfdi"),
      native("__fixunstfti"),
      native("__floatsitf"),
      native("__floatditf"),
      native("__floattitf"),
      native("__floatunsitf"),
      native("__floatunditf"),
      native("__floatuntitf"),
  };
  return table;
}

std::span<const Row> math_functions() {
  static constexpr Row table[] = {
      native("acos"),   native("acosh"),     native("asin"),   native("asinh"),     native("atan"),
      native("atan2"),  native("atanh"),     native("cbrt"),   native("ceil"),      native("copysign"),
      native("cos"),    native("cosh"),      native("erf"),    native("erfc"),      native("exp"),
      native("exp2"),   native("expm1"),     native("fabs"),   native("fdim"),      native("floor"),
      native("fma"),    native("fmax"),      native("fmin"),   native("fmod"),      native("hypot"),
      native("ilogb"),  native("ldexp"),     native("lgamma"), native("llrint"),    native("llround"),
      native("log"),    native("log10"),     native("log1p"),  native("log2"),      native("logb"),
      native("lrint"),  native("lround"),    native("nan"),    native("nearbyint"), native("nextafter"),
      native("pow"),    native("remainder"), native("rint"),   native("round"),     native("scalbln"),
      native("scalbn"), native("sin"),       native("sinh"),   native("sqrt"),      native("tan"),
      native("tanh"),   native("tgamma"),    native("trunc"),
  };
  return table;
}

// Those of the first part write no memory of the program but their own, so that uninitialised memory can still be told.
std::span<const Prefix> cxx_functions() {
  static constexpr Prefix table[] = {
      {"__cxa_", kNative},
      {"__dynamic_cast", kNative},
      {"_Unwind_", kNative},
      {"__gxx_personality", kNative},
      {"_ZTISt", kNative},
      {"_ZTIP", kNative},
      {"_ZTIN10__cxxabiv1", kNative},
      {"_ZTIN9__gnu_cxx", kNative},
      {"_ZTVSt", kNative},
      {"_ZTVN10__cxxabiv1", kNative},
      {"_ZTVN9__gnu_cxx", kNative},
      {"_ZTSSt", kNative},
      {"_ZTTSt", kNative},
      {"_ZSt4cout", kNative | kStandardStreams},
      {"_ZSt4cerr", kNative | kStandardStreams},
      {"_ZSt4clog", kNative | kStandardStreams},
      {"_ZNSo", kNative},
      {"_ZStls", kNative},
      {"_ZSt4endl", kNative},
      {"_ZSt9terminate", kNative},
      {"_ZSt17__throw", kNative},
      {"_ZSt20__throw", kNative},
      {"_ZSt16__throw", kNative},
      {"_ZSt19__throw", kNative},
      {"_ZSt28__throw", kNative},
      {"_ZSt24__throw", kNative},
      {"_ZSt18_Rb_tree", kNative},
      {"_ZNSt8ios_base4Init", kNative},
      // the rest
      {"_ZNSt", kNative | kUnseenWrites},
      {"_ZNKSt", kNative | kUnseenWrites},
      {"_ZSt", kNative | kUnseenWrites},
      {"_ZNSi", kNative | kUnseenWrites},
      {"_ZNSs", kNative | kUnseenWrites},
      {"_ZNKSs", kNative | kUnseenWrites},
      {"_ZNSa", kNative | kUnseenWrites},
      {"_ZNSd", kNative | kUnseenWrites},
      {"_ZNKSo", kNative | kUnseenWrites},
      {"_ZNKSi", kNative | kUnseenWrites},
      {"_ZGVNSt", kNative | kUnseenWrites},
      {"_ZN9__gnu_cxx", kNative | kUnseenWrites},
      {"_ZNK9__gnu_cxx", kNative | kUnseenWrites},
      {"_ZN10__cxxabiv1", kNative | kUnseenWrites},
  };
  return table;
}

// They start, stop or wait for threads, or read and write files.
bool is_forbidden_cxx(std::string_view name) {
  static constexpr std::string_view kWords[] = {
      "thread",        "condition_variable", "mutex",          "once",        "future",
      "promise",       "__basic_file",       "filebuf",        "fstream",     "latch",
      "barrier",       "semaphore",          "stop_token",     "atomic_wait", "atomic_notify",
      "filesystem",    "random_device",      "this_thread",    "pmr",         "sleep_for",
      "sleep_until",   "_Sp_locker",         "_ZSt3cin",       "_ZSt4wcin",   "set_terminate",
      "get_terminate", "_new_handler",       "set_unexpected",
  };
  return std::ranges::any_of(kWords, [&](std::string_view w) { return name.find(w) != std::string_view::npos; });
}

}  // namespace heddle::library
