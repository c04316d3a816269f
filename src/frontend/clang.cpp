#include "frontend/clang.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>

#include "core/error.hpp"
#include "core/site.hpp"
#include "frontend/process.hpp"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string include_folder() {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = self.parent_path().parent_path() / "include";
  if (!self.empty() && fs::exists(installed / "heddle.h", ignored)) return installed.string();
  return HEDDLE_INCLUDE_DIR;
}

namespace {

// Atomic accesses of up to 16 bytes are instructions of LLVM, not calls of helpers.
#if defined(__x86_64__)
constexpr const char* kAtomics = "-mcx16";
#elif defined(__aarch64__)
constexpr const char* kAtomics = "-mno-outline-atomics";
#endif

// Whether an argument chooses a standard of this language. One command may name files of both.
bool is_standard_of(const std::string& arg, Language language) {
  for (const char* start : {"-std=", "--std="}) {
    if (arg.starts_with(start)) return (arg.find("++") != std::string::npos) == (language == Language::cxx);
  }
  return false;
}

// The user's arguments come first, so that ours win: above all -O0, without which clang would merge or drop
// accesses before they are events. What the rest is for:
//  - optnone is off: our own passes run later;
//  - use-after-scope makes clang mark where the life of a local variable begins and ends even at -O0;
//  - value names tell the read half of a bit-field store from an ordinary load;
//  - the user may pass the options of a whole build, -lpthread and all;
//  - a null dereference is a bug to find, not a licence to drop the path that leads to it;
//  - libstdc++'s cheap assertions find an index out of range, and with them std::string is compiled with the program
//    instead of taken from libstdc++.so, so that its accesses are seen and its memory is the program's.
std::vector<std::string> command(const std::string& file, const std::vector<std::string>& user_args) {
  const bool cxx = language_of(file) == Language::cxx;
  std::vector<std::string> c = {cxx ? "clang++-19" : "clang-19"};
  if (isatty(STDERR_FILENO)) c.push_back("-fcolor-diagnostics");
  for (const std::string& arg : user_args) {
    if (!is_standard_of(arg, cxx ? Language::c : Language::cxx)) c.push_back(arg);
  }
  for (const char* option :
       {"-g", "-O0", "-Xclang", "-disable-O0-optnone", "-Xclang", "-fsanitize-address-use-after-scope",
        "-fno-discard-value-names", "-fno-delete-null-pointer-checks", "-fomit-frame-pointer", kAtomics,
        "-D__HEDDLE__=1", "-Qunused-arguments", "-emit-llvm", "-c", "-o", "-"}) {
    c.push_back(option);
  }
  if (cxx) c.push_back("-D_GLIBCXX_ASSERTIONS");
  // Without it shared_ptr reads its two counters in one access of twice their size.
  if (cxx) c.push_back("-D_GLIBCXX_TSAN=1");
  // Some of the C++ library's headers have a better one here. It is found first, unless the user names a folder.
  const bool libstdcxx = std::ranges::find(user_args, "-stdlib=libc++") == user_args.end();
  if (cxx && libstdcxx) {
    const std::string folder = include_folder() + "/c++";
    c.push_back("-isystem" + folder);
    c.push_back("-fdebug-prefix-map=" + folder + "/=" + std::string(kLibraryFolder));
  }
  c.push_back("-I" + include_folder());
  c.push_back(file);
  return c;
}

std::string bitcode_of(const std::string& file, const ProcessResult& clang) {
  if (!clang.started) {
    throw UserError(std::string("cannot run ") + command(file, {})[0] + " (" + std::strerror(clang.error) +
                    "): install clang 19");
  }
  if (clang.status != 0) throw UserError("clang could not compile " + file);
  if (clang.out.empty()) throw UserError("clang gave no code for " + file + ": look at the arguments after --");
  return clang.out;
}

}  // namespace

Language language_of(const std::string& file) {
  const std::string ext = fs::path(file).extension().string();
  const auto is_one_of = [&](std::initializer_list<const char*> list) {
    return std::any_of(list.begin(), list.end(), [&](const char* e) { return ext == e; });
  };
  if (is_one_of({".c", ".i"})) return Language::c;
  if (is_one_of({".cpp", ".cc", ".cxx", ".c++", ".C", ".ii"})) return Language::cxx;
  if (is_one_of({".ll", ".bc"})) return Language::llvm;
  throw UserError(file + ": not a C, C++ or LLVM file (known endings: .c .i .cpp .cc .cxx .c++ .C .ii .ll .bc)");
}

void require_files(const std::vector<std::string>& files) {
  if (files.empty()) throw UserError("no source file given");
  for (const std::string& file : files) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status)) throw UserError(file + ": no such file");
    if (fs::is_directory(status)) throw UserError(file + ": is a directory, not a source file");
    if (access(file.c_str(), R_OK) != 0) throw UserError(file + ": " + std::strerror(errno));
    language_of(file);
  }
}

std::vector<std::string> run_clang(const std::vector<std::string>& files, const std::vector<std::string>& user_args) {
  std::vector<ProcessResult> results(files.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < files.size();) {
      if (language_of(files[i]) != Language::llvm) results[i] = run_process(command(files[i], user_args));
    }
  };
  const std::size_t workers = std::min<std::size_t>(files.size(), std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& t : threads) t.join();

  for (const ProcessResult& r : results) std::fwrite(r.err.data(), 1, r.err.size(), stderr);
  std::fflush(stderr);
  std::vector<std::string> bitcode(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (language_of(files[i]) != Language::llvm) bitcode[i] = bitcode_of(files[i], results[i]);
  }
  return bitcode;
}

}  // namespace heddle::frontend
