// What is called in the real library as it is: functions that only compute, and the runtime of C++.
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
      native("acos"),      native("acosh"),  native("asin"),      native("asinh"),     native("atan"),
      native("atan2"),     native("atanh"),  native("cbrt"),      native("ceil"),      native("copysign"),
      native("cos"),       native("cosh"),   native("erf"),       native("erfc"),      native("exp"),
      native("exp2"),      native("expm1"),  native("fabs"),      native("fdim"),      native("floor"),
      native("fma"),       native("fmax"),   native("fmin"),      native("fmod"),      native("hypot"),
      native("ilogb"),     native("ldexp"),  native("lgamma"),    native("llrint"),    native("llround"),
      native("log"),       native("log10"),  native("log1p"),     native("log2"),      native("logb"),
      native("lrint"),     native("lround"), native("nearbyint"), native("nextafter"), native("pow"),
      native("remainder"), native("rint"),   native("round"),     native("scalbln"),   native("scalbn"),
      native("sin"),       native("sinh"),   native("sqrt"),      native("tan"),       native("tanh"),
      native("tgamma"),    native("trunc"),
  };
  return table;
}

// The C++ runtime and what else of libstdc++.so touches no memory of the program but what is its own: exceptions in
// flight, descriptions of types, the standard streams. The rest of that library is compiled with the program
// (compiled/), or not supported.
std::span<const Row> cxx_functions() {
  static constexpr Row table[] = {
      native("__cxa_begin_catch"),
      native("__cxa_rethrow"),
      native("__cxa_get_exception_ptr"),
      native("__cxa_call_unexpected"),
      native("__cxa_call_terminate"),
      native("__cxa_current_exception_type"),
      native("__cxa_init_primary_exception"),
      native("__cxa_get_globals"),
      native("__gxx_personality_v0"),
      native("_Unwind_Resume"),
      native("_Unwind_RaiseException"),
      native("_Unwind_Resume_or_Rethrow"),
      native("_Unwind_DeleteException"),
      native("_ZSt9terminatev"),
      native("_ZSt18uncaught_exceptionv"),
      native("_ZSt19uncaught_exceptionsv"),
      native("_ZNSt9type_infoD1Ev"),
      native("_ZNSt9type_infoD2Ev"),
      native("_ZSt7nothrow"),
      // streams: of objects of the process
      native("_ZNKSt5ctypeIcE13_M_widen_initEv"),
      native("_ZNSt6locale5facet15_S_get_c_localeEv"),
      {"_ZSt4cout", nullptr, kNative | kStandardStreams},
      {"_ZSt4cerr", nullptr, kNative | kStandardStreams},
      {"_ZSt4clog", nullptr, kNative | kStandardStreams},
      // hashes of numbers
      native("_ZNKSt4hashIeEclEe"),
      native("_ZNKSt4hashIfEclEf"),
      native("_ZNKSt4hashIdEclEd"),
  };
  return table;
}

// Descriptions of types of the library and of built-in ones are constants: _ZTISt9bad_alloc, _ZTIi, _ZTIPKc, …
bool is_native_type(std::string_view name) {
  if (name.starts_with("_ZTI") && name.size() <= 8) return true;
  static constexpr std::string_view kStarts[] = {
      "_ZTISt", "_ZTINSt", "_ZTSSt", "_ZTSNSt", "_ZTIN10__cxxabiv1", "_ZTSN10__cxxabiv1", "_ZTVN10__cxxabiv1"};
  return std::ranges::any_of(kStarts, [&](std::string_view s) { return name.starts_with(s); });
}

}  // namespace heddle::library
