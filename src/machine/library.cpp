#include "machine/library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "machine/models.hpp"

namespace heddle {
namespace {

using models::Entry;

// Called as they are: they only compute, or read what they are given.
constexpr std::string_view kNative[] = {
    // stdlib.h
    "abs",
    "labs",
    "llabs",
    "div",
    "ldiv",
    "lldiv",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "bsearch",
    "ffs",
    "ffsl",
    "ffsll",
    // ctype.h, wctype.h
    "isalnum",
    "isalpha",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "tolower",
    "toupper",
    "isascii",
    "toascii",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "iswalpha",
    "iswdigit",
    "iswspace",
    "iswupper",
    "iswlower",
    "towlower",
    "towupper",
    // errno.h, string.h
    "__errno_location",
    "strerror",
    // stdio.h
    "stdout",
    "stderr",
    // math.h; not fesetround and the like, see fibre.hpp
    "fegetround",
    "__fpclassify",
    "__fpclassifyf",
    "__isnan",
    "__isinf",
    "__finite",
    "__signbit",
    "__signbitf",
    // byte order
    "htonl",
    "htons",
    "ntohl",
    "ntohs",
    // the compiler's helpers
    "__udivti3",
    "__umodti3",
    "__divti3",
    "__modti3",
    "__multi3",
    "__popcountdi2",
    "__floattidf",
    "__floatuntidf",
    "__fixdfti",
    "__fixunsdfti",
    "__ashlti3",
    "__lshrti3",
    "__ashrti3",
    "__stack_chk_fail",
    // long double of 128 bits
    "__addtf3",
    "__subtf3",
    "__multf3",
    "__divtf3",
    "__negtf2",
    "__powitf2",
    "__eqtf2",
    "__netf2",
    "__lttf2",
    "__letf2",
    "__gttf2",
    "__getf2",
    "__unordtf2",
    "__extendsftf2",
    "__extenddftf2",
    "__trunctfsf2",
    "__trunctfdf2",
    "__fixtfsi",
    "__fixtfdi",
    "__fixtfti",
    "__fixunstfsi",
    "__fixunstfdi",
    "__fixunstfti",
    "__floatsitf",
    "__floatditf",
    "__floattitf",
    "__floatunsitf",
    "__floatunditf",
    "__floatuntitf",
};

// math.h, each also with the suffixes f and l.
constexpr std::string_view kMath[] = {
    "acos",     "acosh",  "asin",      "asinh",     "atan",  "atan2",     "atanh",  "cbrt",  "ceil",
    "copysign", "cos",    "cosh",      "erf",       "erfc",  "exp",       "exp2",   "expm1", "fabs",
    "fdim",     "floor",  "fma",       "fmax",      "fmin",  "fmod",      "hypot",  "ilogb", "ldexp",
    "lgamma",   "llrint", "llround",   "log",       "log10", "log1p",     "log2",   "logb",  "lrint",
    "lround",   "nan",    "nearbyint", "nextafter", "pow",   "remainder", "rint",   "round", "scalbln",
    "scalbn",   "sin",    "sinh",      "sqrt",      "tan",   "tanh",      "tgamma", "trunc",
};

// The out-of-line part of the C++ library, by how its names begin.
constexpr std::string_view kCxx[] = {"_ZNSt",
                                     "_ZNKSt",
                                     "_ZSt",
                                     "_ZTISt",
                                     "_ZTVSt",
                                     "_ZTSSt",
                                     "_ZTTSt",
                                     "_ZNSo",
                                     "_ZNSi",
                                     "_ZNSs",
                                     "_ZNKSs",
                                     "_ZNSa",
                                     "_ZNSd",
                                     "_ZTIP",
                                     "_ZNKSo",
                                     "_ZNKSi",
                                     "_ZGVNSt",
                                     "_ZTVN10__cxxabiv1",
                                     "_ZTIN10__cxxabiv1",
                                     "_ZTVN9__gnu_cxx",
                                     "_ZTIN9__gnu_cxx",
                                     "_ZN9__gnu_cxx",
                                     "_ZNK9__gnu_cxx",
                                     "_ZN10__cxxabiv1",
                                     "__cxa_",
                                     "__dynamic_cast",
                                     "_Unwind_",
                                     "__gxx_personality"};
// Typeinfo of built-in types: _ZTIi, _ZTIPKc, …
constexpr std::string_view kTypeInfo = "_ZTI";

// Not these: they start, stop or wait for threads, or read and write files.
constexpr std::string_view kNotCxx[] = {
    "thread",      "condition_variable", "mutex",       "once",        "future",
    "promise",     "__basic_file",       "filebuf",     "fstream",     "latch",
    "barrier",     "semaphore",          "stop_token",  "atomic_wait", "atomic_notify",
    "filesystem",  "random_device",      "this_thread", "pmr",         "sleep_for",
    "sleep_until", "_Sp_locker",         "_ZSt3cin",    "_ZSt4wcin",
};

// Of the C++ library: they write no memory of the program but their own, so that uninitialised memory can still be
// told.
constexpr std::string_view kHarmless[] = {"__cxa_",
                                          "__dynamic_cast",
                                          "_Unwind_",
                                          "__gxx_personality",
                                          "_ZTI",
                                          "_ZTV",
                                          "_ZTS",
                                          "_ZTT",
                                          "_ZSt4cout",
                                          "_ZSt4cerr",
                                          "_ZSt4clog",
                                          "_ZNSo",
                                          "_ZStls",
                                          "_ZSt4endl",
                                          "_ZSt9terminate",
                                          "_ZSt17__throw",
                                          "_ZSt20__throw",
                                          "_ZSt16__throw",
                                          "_ZSt19__throw",
                                          "_ZSt28__throw",
                                          "_ZSt24__throw",
                                          "_ZSt18_Rb_tree",
                                          "_ZNSt8ios_base4Init"};

bool begins(std::string_view name, std::span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view p) { return name.starts_with(p); });
}
bool contains(std::string_view name, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view w) { return name.find(w) != std::string_view::npos; });
}

const std::unordered_map<std::string_view, void*>& modelled() {
  static const auto* const table = [] {
    auto* const t = new std::unordered_map<std::string_view, void*>;
    for (const auto& entries :
         {models::thread_functions(), models::mutex_functions(), models::memory_functions(), models::string_functions(),
          models::stdio_functions(), models::stdlib_functions(), models::verifier_functions(),
          models::hazard_functions(), models::helping_functions(), models::exception_functions()})
      for (const Entry& e : entries) t->emplace(e.name, e.address);
    return t;
  }();
  return *table;
}

bool is_math(std::string_view name) {
  if (std::ranges::find(kMath, name) != std::end(kMath)) return true;
  if (!name.ends_with('f') && !name.ends_with('l')) return false;
  name.remove_suffix(1);
  return std::ranges::find(kMath, name) != std::end(kMath);
}

bool is_cxx(std::string_view name) {
  const bool type_info = name.starts_with(kTypeInfo) && name.size() <= 8;
  return (type_info || begins(name, kCxx)) && !contains(name, kNotCxx);
}

}  // namespace

namespace models {

void restart() {
  reset_streams();
  *static_cast<uint32_t*>(pointer(kSection)) = 0;
}

}  // namespace models

void* resolve(std::string_view symbol) {
  HostScope scope;
  // Variables of the C library. The second one tells libstdc++ whether it may do without atomics: always the same
  // answer.
  static int handle = 0;
  static char single_threaded = 0;
  if (symbol == "__dso_handle") return &handle;
  if (symbol == "__libc_single_threaded") return &single_threaded;
  const auto it = modelled().find(symbol);
  if (it != modelled().end()) return it->second;
  const bool cxx = is_cxx(symbol);
  if (!cxx && !is_math(symbol) && std::ranges::find(kNative, symbol) == std::end(kNative)) return nullptr;
  void* const p = dlsym(RTLD_DEFAULT, std::string(symbol).c_str());
  if (cxx && p != nullptr && !begins(symbol, kHarmless)) rt.lenient = true;
  if (symbol.starts_with("_ZSt4c")) models::divert_streams(true);
  return p;
}

}  // namespace heddle
