#include "cli/test.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "cli/courier.hpp"
#include "cli/files.hpp"
#include "cli/filter.hpp"
#include "cli/memory_limit.hpp"
#include "cli/run.hpp"
#include "cli/supervise.hpp"
#include "core/assert.hpp"
#include "core/stop.hpp"
#include "explore/explore.hpp"
#include "frontend/clang/clang.hpp"
#include "frontend/load/load.hpp"
#include "library/library.hpp"
#include "library/tests.hpp"
#include "native/native.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/places.hpp"
#include "report/tests.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

void put_line(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

// Strings from a child to its parent.
class Letter {
 public:
  Letter() : file_(memfd_create("heddle test", MFD_CLOEXEC)) {
    if (file_ < 0) throw UserError("there is no memory left");
  }
  ~Letter() { close(file_); }
  Letter(const Letter&) = delete;
  Letter& operator=(const Letter&) = delete;

  // In the child, once.
  void write(const std::vector<std::string>& strings) const {
    std::string all;
    for (const std::string& s : strings) {
      const std::size_t size = s.size();
      all.append(reinterpret_cast<const char*>(&size), sizeof size);
      all += s;
    }
    for (std::size_t done = 0; done < all.size();) {
      const ssize_t n = ::write(file_, all.data() + done, all.size() - done);
      if (n <= 0) throw UserError("there is no memory left");
      done += static_cast<std::size_t>(n);
    }
  }
  // In the parent; nothing if the child has written nothing, or not all.
  std::vector<std::string> read() const {
    std::vector<std::string> strings;
    off_t at = 0;
    std::size_t size = 0;
    while (pread(file_, &size, sizeof size, at) == sizeof size) {
      at += static_cast<off_t>(sizeof size);
      std::string s(size, '\0');
      if (pread(file_, s.data(), size, at) != static_cast<ssize_t>(size)) return {};
      at += static_cast<off_t>(size);
      strings.push_back(std::move(s));
    }
    return strings;
  }

 private:
  int file_;
};

class Tests {
 public:
  Tests(const Options& options, const TestCommand& command)
      : options_(options), command_(command), info_(run_info(options, "")), style_(output_style(options)) {}

  Answer run() {
    native_ = native_options(options_);
    if (options_.junit) require_writable(*options_.junit);
    compile_all();
    begin_exploring(info_.compile_seconds);
    if (!find()) return finish();
    choose();
    if (options_.list) return {kVerified, list()};
    for (const library::TestCase& test : chosen_) width_ = std::max(width_, test.name.size());
    HEDDLE_ASSERT(chosen_.size() == numbers_.size());
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (interrupted()) {
        add(not_run(chosen_[i]), nullptr);
      } else {
        check_one(chosen_[i], numbers_[i]);
      }
    }
    return finish();
  }

  Answer failure(const std::string& message) {
    complete_info();
    return {kFailed, json() ? json_failure(info_, "failed", message) : ""};
  }

 private:
  bool json() const { return options_.format == "json"; }

  void compile_all() {
    const std::string folder = frontend::include_folder() + "/frameworks";
    // Ours come first, and are no files of the user's.
    std::vector<std::string> arguments = {"-I" + folder,
                                          fmt::format("-fdebug-prefix-map={}/={}", folder, kLibraryFolder)};
    arguments.insert(arguments.end(), options_.clang_args.begin(), options_.clang_args.end());
    Sources sources = sources_of(options_.build.value_or(""), options_.files, arguments);
    info_.files = sources.files;
    info_.warnings = sources.warnings;
    if (!json()) say_warnings(info_);
    sources.files.push_back(folder + "/main.c");
    if (!sources.commands.empty()) sources.commands.emplace_back();
    image_ = load(compile_files(options_, std::move(sources)), library::resolve);
    info_.compile_seconds = seconds_since(start_);
    say_if_verbose(options_, fmt::format("compiled in {:.3f} s", info_.compile_seconds));
  }

  // Explores in a child what the program does with this test, and returns what there is to say. `tell` adds strings
  // in the child.
  std::vector<std::string> explore_in_child(TestReport& report, long number, uint64_t max_executions,
                                            const std::function<std::vector<std::string>()>& tell) {
    const Letter letter;
    RunInfo info = run_info(options_, number == library::kNoTest ? "" : command_.with_filter(report.name));
    if (json()) info.warnings = info_.warnings;
    const auto start = SteadyClock::now();
    const auto work = [&] {
      try {
        library::choose_test(number);
        NativeMachine machine(std::move(*image_), native_);
        enter_sandbox(options_, number == library::kNoTest);  // once for all tests
        begin_exploring(0);
        Request request = explore_request(options_, seconds_since(start));
        if (max_executions != 0) request.max_executions = max_executions;
        request.on_finding = [&](const Finding& finding) { note_down(finding, machine.image().sites); };
        const Result result = explore(machine, request);
        begin_reporting();
        for (const std::string& note : result.notes) say_if_verbose(options_, note);
        for (const FollowedLoop& f : result.followed)
          say_if_verbose(options_, "followed: " + shown_followed(f, machine.image().sites));
        info.peak_rss_kib = peak_rss_kib();
        info.total_seconds = info.explore_seconds = seconds_since(start);
        std::vector<std::string> strings = {json_report(info, result, machine.image().sites),
                                            text_report(info, result, machine.image().sites, style_)};
        for (std::string& s : tell()) strings.push_back(std::move(s));
        letter.write(strings);
        return exit_status(result.verdict);
      } catch (const UserError& e) {
        begin_reporting();
        std::fprintf(stderr, "heddle: %s: %s\n", report.name.c_str(), e.what());
        letter.write({json_failure(info, "failed", e.what()), ""});
      } catch (const std::exception& e) {
        begin_reporting();
        const std::string what = fmt::format("internal error: {}", e.what());
        std::fprintf(stderr, "heddle: %s: %s\n", report.name.c_str(), what.c_str());
        letter.write({json_failure(info, "failed", what), ""});
      }
      return static_cast<int>(kFailed);
    };
    std::string said;
    const Limits limits{options_.time_limit, options_.memory_limit.value_or(default_memory_limit()),
                        status_style(options_.progress), report.name};
    const auto cut = [&](const Cut& c) {
      info.total_seconds = info.explore_seconds = c.seconds;
      info.peak_rss_kib = c.peak_rss_kib;
      report.json = json_report(info, c.result, c.sites);
      report.text = text_report(info, c.result, c.sites, style_);
    };
    const int status = supervise(work, limits, cut, &said);
    std::vector<std::string> strings = letter.read();
    if (strings.size() >= 2 && said.empty()) {
      report.json = std::move(strings[0]);
      report.text = std::move(strings[1]);
      strings.erase(strings.begin(), strings.begin() + 2);
    } else {
      strings.clear();
    }
    if (report.json.empty()) report.json = json_failure(info, status == kIncomplete ? "incomplete" : "failed", said);
    return strings;
  }

  // False if the program does not come as far as its tests.
  bool find() {
    TestReport report;
    report.name = "before the tests";
    report.file = options_.files[0];
    const auto tell = [] {
      std::vector<std::string> strings;
      for (const library::TestCase& t : library::found_tests())
        for (const std::string& s : {t.name, t.file, std::to_string(t.line), std::to_string(t.hidden)})
          strings.push_back(s);
      return strings;
    };
    const std::vector<std::string> found = explore_in_child(report, library::kNoTest, 1, tell);
    for (std::size_t i = 0; i + 3 < found.size(); i += 4)
      found_.push_back({found[i], found[i + 1], std::stoi(found[i + 2]), found[i + 3] != "0"});
    read_report(report, nullptr);
    if (report.verdict == "error" || report.verdict == "failed" || report.interrupted) {
      width_ = report.name.size();
      add(std::move(report), nullptr);
      return false;
    }
    if (!found_.empty()) return true;
    throw UserError(fmt::format(
        "{}: no tests found; a test is a TEST or TEST_F of GoogleTest or a TEST_CASE of Catch2, and a main function of "
        "your own must call RUN_ALL_TESTS() or Catch::Session().run(). For a program without a framework use "
        "`heddle check`",
        fmt::join(options_.files, ", ")));
  }

  void choose() {
    const std::optional<std::string>& text = options_.filter;
    const Filter filter(text.value_or(""));
    const bool whole = text && std::ranges::any_of(found_, [&](const auto& t) { return t.name == *text; });
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const library::TestCase& test = found_[i];
      const bool asked = text && (whole ? test.name == *text : filter.names(test.name));
      const bool chosen = whole ? asked : filter.chooses(test.name);
      if (!chosen) continue;
      if (test.hidden && !asked) {
        ++hidden_;
        continue;
      }
      chosen_.push_back(test);
      numbers_.push_back(static_cast<long>(i));
    }
    if (!chosen_.empty()) return;
    if (hidden_ == found_.size()) throw UserError("all tests are disabled or hidden: name one with --filter to run it");
    throw UserError(fmt::format("--filter {}: no test has such a name; `heddle test --list` prints the names", *text));
  }

  std::string list() const {
    if (!json()) {
      std::string out;
      for (const library::TestCase& test : chosen_) out += test.name + "\n";
      return out;
    }
    std::vector<TestPlace> places;
    for (const library::TestCase& test : chosen_) places.push_back({test.name, test.file, test.line});
    return tests_list_json(info_, places);
  }

  static bool interrupted_now() { return stop::asked != Stop::none; }
  bool interrupted() const { return interrupted_now() || (!reports_.empty() && reports_.back().interrupted); }

  static TestReport report_of(const library::TestCase& test) {
    TestReport report;
    report.name = test.name;
    report.file = test.file;
    report.line = test.line;
    return report;
  }

  TestReport not_run(const library::TestCase& test) {
    TestReport report = report_of(test);
    report.json = json_failure(info_, "incomplete", "it was not run: interrupted");
    report.interrupted = true;
    return report;
  }

  void check_one(const library::TestCase& test, long number) {
    TestReport report = report_of(test);
    const auto tell = [] {
      return library::was_skipped() ? std::vector{library::skip_reason()} : std::vector<std::string>();
    };
    const std::vector<std::string> skipped = explore_in_child(report, number, 0, tell);
    add(std::move(report), skipped.empty() ? nullptr : &skipped[0]);
  }

  void add(TestReport report, const std::string* skip_reason) {
    read_report(report, skip_reason);
    if (!json()) {
      put_line(test_line(report, width_, style_));
      if (report.verdict != "verified" && report.verdict != "skipped")
        put_line(report.text.empty() ? "  " + report.message + "\n" : report.text);
    }
    reports_.push_back(std::move(report));
  }

  void complete_info() {
    info_.peak_rss_kib = peak_rss_kib();
    info_.total_seconds = seconds_since(start_);
  }

  Answer finish() {
    complete_info();
    if (options_.junit) write_output(*options_.junit, junit_report(info_, reports_));
    const std::string verdict = verdict_of(reports_);
    const int status = verdict == "verified" ? kVerified
                       : verdict == "error"  ? kBugFound
                       : verdict == "failed" ? kFailed
                                             : kIncomplete;
    if (json()) return {status, tests_json(info_, reports_)};
    std::string text = tests_summary(info_, reports_, style_);
    if (hidden_ != 0) text += fmt::format("  {} disabled or hidden, not run\n", hidden_);
    return {status, text};
  }

  const Options& options_;
  const TestCommand& command_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  RunInfo info_;
  const Style style_;
  NativeOptions native_;
  std::optional<Image> image_;  // children take their own copies
  std::vector<library::TestCase> found_;
  std::vector<library::TestCase> chosen_;
  std::vector<long> numbers_;  // of the chosen ones among those found
  std::size_t hidden_ = 0;
  std::size_t width_ = 0;
  std::vector<TestReport> reports_;
};

}  // namespace

std::string TestCommand::with_filter(const std::string& name) const {
  std::string out;
  bool in_options = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    in_options = in_options && word != "--";
    if (in_options && word.starts_with("--filter=")) continue;
    if (in_options && word == "--filter") {
      ++i;
      continue;
    }
    out += (i == 0 ? "" : " ") + quoted(word);
    if (i == 1) out += " --filter " + quoted(name);
  }
  return out;
}

Answer test(const Options& options, const TestCommand& command) {
  Tests tests(options, command);
  try {
    return tests.run();
  } catch (const UserError& e) {
    if (*e.what()) std::fprintf(stderr, "heddle: %s\n", e.what());
    return tests.failure(e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "heddle: internal error: %s\nPlease report this together with the program and the command.\n",
                 e.what());
    return tests.failure(fmt::format("internal error: {}", e.what()));
  }
}

}  // namespace heddle::cli
