#include "frontend/clang/arguments.hpp"

#include <string_view>

#include "core/error.hpp"
#include "core/words.hpp"
#include "frontend/program/missing.hpp"

namespace heddle::frontend {
namespace {

// Arguments, and what to say. The first row that fits counts.
struct Rule {
  std::string_view arguments;
  const char* why;
};

constexpr std::string_view kOutput = "-o -o* --output --output=*";
constexpr std::string_view kStages =
    "-c -S -E --compile --assemble --preprocess -emit-* --emit-* -fsyntax-only -fdriver-only --precompile -rewrite-* "
    "--rewrite-* -extract-api --analyze --analyzer-* -verify-pch -dM -dD -dI -dA -ast-* -dump-* -print-* --print-* "
    "-dumpversion -dumpmachine -### --help --help-hidden -help --version -cc1 -cc1as --driver-mode=* -save-temps* "
    "--save-temps* -ccc-* -module-file-info";
constexpr std::string_view kDependencies =
    "-M -MM -MD -MMD -MF* -MT* -MQ* -MP -MG -MV -MJ* --dependencies --user-dependencies --write-dependencies "
    "--write-user-dependencies";
constexpr std::string_view kTarget =
    "-m32 -mx32 -m16 -target -target=* --target=* -triple -arch -mabi=* -mbig-endian -EB -mcmodel=* -mlong-double-*";
constexpr std::string_view kSanitizers = "-fsanitize=* -fsanitize-*";
constexpr std::string_view kProfiles =
    "-pg -p --coverage -coverage -fprofile-* -fcoverage-* -ftest-coverage -finstrument-* -fxray-* -fcs-profile-* "
    "-fauto-profile* -fpatchable-* -fstack-usage -ftime-trace* -ftime-report* -fsave-optimization-record* "
    "-fmemory-profile* -fpseudo-probe-* -fcrash-diagnostics-dir* -fproc-stat-report*";
constexpr std::string_view kLanguages =
    "-x -x* --language --language=* -fopenmp* -fopenacc* --cuda-* --offload-* -fopencl* -cl-* -fobjc-* -ObjC -ObjC++ "
    "-fsycl* -fcuda-* --hip-*";
constexpr std::string_view kThreadStorage = "-femulated-tls -fsplit-stack";
constexpr std::string_view kPlugins =
    "-fplugin* -fpass-plugin* -load -add-plugin -fembed-bitcode* -fembed-offload* -fthinlto-index=* "
    "-fthin-link-bitcode=*";
constexpr std::string_view kLibraries = "-stdlib=libc++";
constexpr std::string_view kResponse = "@* --config*";

constexpr Rule kRules[] = {
    {kResponse, "arguments from a file are not supported: write them out"},
    {kSanitizers, "the program is not compiled with a sanitizer: heddle has its own checks; leave it out"},
    {kTarget,
     "the program runs on this machine, in this process: leave it out, or say with -D what the other machine has"},
    {kDependencies, "heddle writes no dependencies: leave it out"},
    {kStages, "heddle compiles the program and runs it: leave it out (`heddle check --print-ir` prints code)"},
    {kOutput, "heddle writes no file: leave it out"},
    {kProfiles, "heddle measures and instruments the program in its own way: leave it out"},
    {kLanguages,
     "the ending of a file's name tells its language (.c, .cpp, .ll, …), and only C and C++ are supported: "
     "rename the file, or leave it out"},
    {kThreadStorage, "it changes code that heddle must understand: leave it out"},
    {kPlugins, "heddle runs its own passes and linker: leave it out"},
    {kLibraries, "heddle knows libstdc++ only: leave it out"},
};

// What is never meant, although it begins like one of those above.
constexpr std::string_view kFine = "-fno-* -fsanitize=";

// Options whose value is the next argument.
constexpr std::string_view kWithValue =
    "-D -U -I -L -l -F -T -u -z -e -b -B -R -A -G -include -imacros -isystem -iquote -idirafter -isysroot -iprefix "
    "-iwithprefix -iwithprefixbefore -iwithsysroot -isystem-after -cxx-isystem -c-isystem -stdlib++-isystem "
    "-iframework -framework -Xlinker -Xassembler -Xpreprocessor -mllvm -rpath --sysroot -resource-dir "
    "-working-directory --param -ivfsoverlay --include-directory --define-macro --undefine-macro -soname "
    "-install_name -dyld-prefix -mthread-model -gcc-toolchain";

bool fits_one(std::string_view argument, std::string_view list) { return fit(argument, list) != WordFit::none; }

[[noreturn]] void refuse(const std::string& argument, const std::string& why) {
  throw UserError(argument + " after --: " + why);
}

void check(const std::string& argument) {
  if (fits_one(argument, kFine)) return;
  for (const Rule& rule : kRules)
    if (fits_one(argument, rule.arguments)) refuse(argument, rule.why);
}

bool is_of_builds(const std::string& argument) {
  if (fits_one(argument, kFine)) return false;
  return fits_one(argument, kOutput) || fits_one(argument, kStages) || fits_one(argument, kDependencies) ||
         fits_one(argument, kSanitizers) || fits_one(argument, kProfiles) || argument.starts_with("-Werror");
}

}  // namespace

void check_clang_arguments(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    if (a == "-Xclang") {
      if (i + 1 < arguments.size()) check(arguments[++i]);
      continue;
    }
    check(a);
    if (fits_one(a, kWithValue)) {
      if (++i == arguments.size()) refuse(a, "it needs a value");
      continue;
    }
    if (is_compiled(a)) refuse(a, kNeedsSources);
    if (a == "-" || !a.starts_with('-'))
      refuse(a, "only arguments for clang go there; give source files before --, and libraries as source");
  }
}

std::vector<std::string> arguments_of_build(const std::vector<std::string>& command) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string& a = command[i];
    const bool has_value = fits_one(a, "-o --output -MF -MT -MQ -MJ") || fits_one(a, kWithValue);
    if (is_of_builds(a)) {
      i += has_value;
    } else if (a.starts_with('-') && a != "-") {  // else the compiler or the file
      kept.push_back(a);
      if (has_value && i + 1 < command.size()) kept.push_back(command[++i]);
    }
  }
  check_clang_arguments(kept);
  kept.push_back("-Wno-unknown-warning-option");  // the build may be another compiler's
  return kept;
}

}  // namespace heddle::frontend
