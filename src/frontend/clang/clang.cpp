#include "frontend/clang/clang.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/site.hpp"
#include "frontend/clang/preamble.hpp"
#include "frontend/clang/process.hpp"
#include "frontend/clang/remember.hpp"
#include "frontend/program/missing.hpp"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string include_folder() {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = self.parent_path().parent_path() / "include/heddle";
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

// Whether an argument of the user changes what a file begins with, or comes too close to what a precompiled header
// needs.
bool hinders_preambles(const std::string& arg) {
  for (const char* start : {"-include", "--include", "-imacros", "--imacros", "-Xclang", "-Xpreprocessor", "-Wp,",
                            "-fmodule", "-fpch", "-ivfsoverlay", "-working-directory", "-trigraphs"}) {
    if (arg.starts_with(start)) return true;
  }
  return false;
}

// Whether the argument after it names a header that comes before the file.
bool includes_next(const std::string& arg) {
  return arg == "-include" || arg == "--include" || arg == "-imacros" || arg == "--imacros";
}

// The user's arguments come first, so that ours win: above all -O0, without which clang would merge or drop
// accesses before they are events. What the rest is for:
//  - optnone is off: our own passes run later;
//  - use-after-scope makes clang mark where the life of a local variable begins and ends even at -O0;
//  - value names tell some temporaries (ir/clang_names.hpp), and reports what the source calls a variable;
//  - the user may pass the options of a whole build, -lpthread and all;
//  - a null dereference is a bug to find, not a licence to drop the path that leads to it;
//  - libstdc++'s cheap assertions find an index out of range, and with them std::string is compiled with the program
//    instead of taken from libstdc++.so, so that its accesses are seen and its memory is the program's.
std::vector<std::string> flags(const ClangJob& job) {
  const bool cxx = language_of(job.file) == Language::cxx;
  std::vector<std::string> c = {cxx ? "clang++-19" : "clang-19"};
  for (const std::string& arg : job.args) {
    if (!is_standard_of(arg, cxx ? Language::c : Language::cxx)) c.push_back(arg);
  }
  for (const char* option :
       {"-g", "-O0", "-Xclang", "-disable-O0-optnone", "-Xclang", "-fsanitize-address-use-after-scope",
        "-fno-discard-value-names", "-fno-delete-null-pointer-checks", "-fomit-frame-pointer", kAtomics,
        "-D__HEDDLE__=1", "-Qunused-arguments"}) {
    c.push_back(option);
  }
  if (cxx) c.push_back("-D_GLIBCXX_ASSERTIONS");
  // Without it shared_ptr reads its two counters in one access of twice their size.
  if (cxx) c.push_back("-D_GLIBCXX_TSAN=1");
  // Some of the C++ library's headers have a better one here. It is found first, unless the user names a folder.
  const bool libstdcxx = std::ranges::find(job.args, "-stdlib=libc++") == job.args.end();
  if (cxx && libstdcxx) {
    const std::string folder = include_folder() + "/c++";
    c.push_back("-isystem" + folder);
    c.push_back("-fdebug-prefix-map=" + folder + "/=" + std::string(kLibraryFolder));
  }
  c.push_back("-I" + include_folder());
  return c;
}

using Arguments = std::vector<std::string>;

Arguments joined(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// A run of clang whose result is remembered.
class Remembered {
 public:
  Remembered(const ClangJob& job, const Cache& cache)
      : job_(job), cache_(cache), flags_(flags(job)), start_(file_time()), list_(cache.new_path()) {}
  ~Remembered() { unlink(list_.c_str()); }
  Remembered(const Remembered&) = delete;
  Remembered& operator=(const Remembered&) = delete;

  ProcessResult run(const Arguments& tail) {
    const std::optional<Stamp> before = stamp_of(job_.file);
    const std::optional<std::string> text = read_whole(job_.file);
    if (!before || !text) return run_process(joined(flags_, tail), job_.directory);
    const std::string key = key_of("code", tail, *text);
    if (std::optional<Made> made = recall(cache_, key))
      return {.started = true, .out = std::move(made->code), .err = std::move(made->said)};

    std::optional<ProcessResult> result = run_with_preamble(tail, *text);
    if (!result || stamp_of(job_.file) != before) {
      inputs_ = {};
      result = run_process(joined(flags_, joined(listing(), tail)), job_.directory);
    }
    if (!is_good(*result)) return *result;
    if (const std::optional<Inputs> inputs = inputs_now()) {
      append(inputs_.files, inputs->files);
      append(inputs_.absent, inputs->absent);
      remember(cache_, key, {inputs_, result->out, result->err});
    }
    return *result;
  }

 private:
  static bool is_good(const ProcessResult& r) { return r.started && r.status == 0; }

  template <class List>
  static void append(List& list, const List& more) {
    list.insert(list.end(), more.begin(), more.end());
  }

  // Of the last run.
  std::optional<Inputs> inputs_now() const {
    const std::optional<std::vector<std::string>> search = search_path();
    if (!search) return std::nullopt;
    Lookups lookups;
    for (std::size_t i = 1; i < job_.args.size(); ++i) {
      if (includes_next(job_.args[i - 1])) lookups.add_beside(job_.directory, job_.args[i]);
    }
    return inputs_of({list_, job_.directory, *search, start_}, cache_, std::move(lookups));
  }

  // Where clang looks for headers: the same for all files with these flags.
  std::optional<std::vector<std::string>> search_path() const {
    const bool cxx = language_of(job_.file) == Language::cxx;
    const std::string key = key_of("search", {}, "") + ".search";
    if (const std::optional<Made> made = recall(cache_, key)) return search_folders(made->said);
    const ProcessResult result =
        run_process(joined(flags_, {"-v", "-fsyntax-only", "-x", cxx ? "c++" : "c", "/dev/null"}), job_.directory);
    if (!is_good(result)) return std::nullopt;
    remember(cache_, key, {{}, "", result.err});
    return search_folders(result.err);
  }

  Arguments listing() const { return {"-MD", "-MF", list_, "-MT", "it"}; }

  std::string key_of(std::string_view kind, const Arguments& tail, std::string_view text) const {
    std::error_code ignored;
    ByteWriter key;
    for (const std::string_view part : {kind, std::string_view(job_.directory), text}) key.text(part);
    key.text(compiler_identity(flags_[0]));
    key.text(fs::current_path(ignored).string());
    for (const std::string& argument : joined(flags_, tail)) key.text(argument);
    return digest(key.bytes());
  }

  // None: there is no precompiled header for this file, or clang is better asked without it.
  std::optional<ProcessResult> run_with_preamble(const Arguments& tail, const std::string& text) {
    if (language_of(job_.file) != Language::cxx || std::ranges::any_of(job_.args, hinders_preambles)) return {};
    const Preamble preamble = preamble_of(text);
    if (preamble.includes.empty()) return {};
    const std::optional<std::string> header = precompiled(preamble.includes);
    if (!header) return {};
    const std::string skipped = "-preamble-bytes=" + std::to_string(preamble.size) + ",1";
    ProcessResult result = run_process(
        joined(flags_, joined(listing(), joined({"-include-pch", *header, "-Xclang", skipped}, tail))), job_.directory);
    // No message may tell of files that are none of the user's.
    if (!is_good(result) || result.err.find(cache_.folder().string()) != std::string::npos) return {};
    return result;
  }

  static std::string name_of_header(const std::string& content) { return digest(content) + ".pch"; }

  // The path of the precompiled header of these lines. To make one takes longer than to do without, so it is made
  // when the lines are seen for the second time.
  std::optional<std::string> precompiled(const std::string& includes) {
    const std::string key = key_of("header", {}, includes);
    const std::string source = key + ".hpp";  // clang wants to see it whenever it uses what it has made of it
    if (read_whole(cache_.path_of(source)) != includes) {
      cache_.put_as_it_is(source, includes);
      return {};
    }
    cache_.touch(source);
    if (std::optional<Made> made = recall(cache_, key)) {
      std::string path = cache_.path_of(made->code);
      const std::optional<std::string> header = read_whole(path);
      if (header && made->code == name_of_header(*header)) {
        cache_.touch(made->code);
        inputs_ = std::move(made->inputs);
        return path;
      }
    }
    return precompile(key, cache_.path_of(source));
  }

  std::optional<std::string> precompile(const std::string& key, const std::string& source) {
    const std::string path = cache_.new_path();
    const ProcessResult result = run_process(
        joined(flags_, joined(listing(), {"-Xclang", "-fno-pch-timestamp", "-x", "c++-header", source, "-o", path})),
        job_.directory);
    const std::optional<std::string> header = read_whole(path);
    const std::optional<Inputs> inputs = inputs_now();
    // If it has something to say, it must say so each time.
    if (!is_good(result) || !result.err.empty() || !header || !inputs) {
      unlink(path.c_str());
      return {};
    }
    const std::string name = name_of_header(*header);
    if (!cache_.keep(path, name)) return {};
    remember(cache_, key, {*inputs, name, ""});
    inputs_ = *inputs;
    return cache_.path_of(name);
  }

  const ClangJob& job_;
  const Cache& cache_;
  const Arguments flags_;
  const uint64_t start_;
  const std::string list_;  // where clang lists what it has read
  Inputs inputs_;           // what is in the precompiled header
};

ProcessResult run_one(const ClangJob& job, const Cache& cache) {
  Arguments tail = {"-emit-llvm", "-c", "-o", "-", job.file};
  if (isatty(STDERR_FILENO)) tail.insert(tail.begin(), "-fcolor-diagnostics");
  if (!cache.on()) return run_process(joined(flags(job), tail), job.directory);
  return Remembered(job, cache).run(tail);
}

std::string bitcode_of(const std::string& file, const ProcessResult& clang) {
  if (!clang.started) {
    throw UserError("cannot run " + flags({file, {}})[0] + " (" + std::strerror(clang.error) + "): install clang 19");
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
  if (is_compiled(file)) throw UserError(file + ": " + kNeedsSources);
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

std::vector<std::string> run_clang(const std::vector<ClangJob>& jobs, const Cache& cache) {
  std::vector<ProcessResult> results(jobs.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < jobs.size();) {
      if (language_of(jobs[i].file) != Language::llvm) results[i] = run_one(jobs[i], cache);
    }
  };
  const std::size_t workers = std::min<std::size_t>(jobs.size(), std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& t : threads) t.join();

  for (const ProcessResult& r : results) std::fwrite(r.err.data(), 1, r.err.size(), stderr);
  std::fflush(stderr);
  std::vector<std::string> bitcode(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (language_of(jobs[i].file) != Language::llvm) bitcode[i] = bitcode_of(jobs[i].file, results[i]);
  }
  return bitcode;
}

}  // namespace heddle::frontend
