// The command `heddle`: picks the command, and runs it in a supervised child process.
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/check.hpp"
#include "cli/command_line.hpp"
#include "cli/completion.hpp"
#include "cli/estimate.hpp"
#include "cli/gdb.hpp"
#include "cli/identity.hpp"
#include "cli/litmus.hpp"
#include "cli/memory_limit.hpp"
#include "cli/orders.hpp"
#include "cli/outputs.hpp"
#include "cli/replay.hpp"
#include "cli/run.hpp"
#include "cli/saved_run.hpp"
#include "cli/status.hpp"
#include "cli/suggest.hpp"
#include "cli/supervise.hpp"
#include "cli/test.hpp"
#include "cli/worker.hpp"
#include "core/error.hpp"

namespace heddle::cli {
namespace {

int print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return std::fflush(stdout) == 0 ? kVerified : kFailed;
}

int help(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return print(help_text());
  if (arguments[0] == "--markdown") return print(help_markdown());
  const std::vector<std::string_view> commands = names_of_commands();
  if (std::ranges::find(commands, arguments[0]) != commands.end()) return print(help_text(arguments[0], false));
  throw UserError(
      fmt::format("no help for {}{}; try `heddle help`", arguments[0], did_you_mean(arguments[0], commands)));
}

int completion(const std::vector<std::string>& arguments) {
  const std::string shell = arguments.empty() ? "" : arguments[0];
  if (const std::optional<std::string> script = completion_for(shell)) return print(*script);
  throw UserError("no completion for this shell; try `heddle completion bash`, zsh or fish");
}

// The format that the user wants, whatever else is wrong with the arguments.
std::string asked_format(const std::vector<std::string>& words) {
  constexpr std::string_view kFormat = "--format=";
  std::string format;
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    if (words[i].starts_with(kFormat)) format = words[i].substr(kFormat.size());
    if (words[i] == "--format" && i + 1 < words.size()) format = words[i + 1];
  }
  return format;
}

// One byte that the child can set and the parent can read.
class Flag {
 public:
  Flag() : byte_(mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (byte_ == MAP_FAILED) throw UserError("there is no memory left");
  }
  ~Flag() { munmap(byte_, 1); }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;
  void set() { *static_cast<volatile char*>(byte_) = 1; }
  bool is_set() const { return *static_cast<const volatile char*>(byte_) != 0; }

 private:
  void* byte_;
};

// Runs a command in a child, of which `supervise` takes care. If no process has told an answer in the end, that is
// told, in JSON and the like, too.
using Supervise = std::function<int(const std::function<int()>& work, std::string* said)>;

int run_supervised(const Options& options, const std::string& command, const std::function<Answer()>& work,
                   const Supervise& supervise) {
  Flag answered;  // the files are written, only the text is left
  Flag told;
  std::string said;
  const auto child = [&] {
    const Answer answer = work();
    answered.set();
    std::fwrite(answer.text.data(), 1, answer.text.size(), stdout);
    if (std::fflush(stdout) == 0) told.set();
    return answer.status;
  };
  const int status = supervise(child, &said);
  if (told.is_set() || said.empty()) return status;
  const RunInfo info = run_info(options, command);
  const char* const verdict = status == kIncomplete ? "incomplete" : "failed";
  print(answered.is_set() ? printed_failure(options.format, info, verdict, said)
                          : put_out_failure(options, info, verdict, said));
  return status;
}

// A killed check and a killed replay are told alike.
Supervise within(const Limits& limits, const Options& options, const std::string& command) {
  return [=](const std::function<int()>& work, std::string* said) {
    return supervise(work, limits, [&](const Cut& cut) { print(report_cut(options, command, cut)); }, said);
  };
}

int run_replay(const std::vector<std::string>& arguments) {
  const Options asked = parse_replay(arguments);
  if (asked.asks_for_help()) return print(help_text("replay", asked.help_all));
  require_writable_outputs(asked);
  const SavedRun saved = load_run(asked.saved);
  Options options = parse_replay(arguments, parse_check(saved.words));
  enter_folder_of(saved, options);
  if (options.gdb) {
    require_same_sources(saved);
    start_gdb(options);
  }
  if (options.in_debugger) {
    const Answer answer = replay(options, saved);
    print(answer.text);
    return answer.status;
  }
  Limits limits{std::nullopt, options.memory_limit.value_or(default_memory_limit())};
  limits.outputs = names_of_outputs(options);
  return run_supervised(
      options, saved.command, [&] { return replay(options, saved); }, within(limits, options, saved.command));
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 2) {
    std::fputs(help_text().c_str(), stderr);
    return kFailed;
  }
  const std::string& verb = words[1];
  const std::vector<std::string> rest(words.begin() + 2, words.end());
  if (verb == "--version") return print("heddle " HEDDLE_VERSION "\n");
  if (verb == "--help" || verb == "-h") return print(help_text());
  if (verb == "help") return help(rest);
  if (verb == "completion") return completion(rest);
  if (verb == "litmus") {
    const Options options = parse_litmus(rest);
    if (options.asks_for_help()) return print(help_text(verb, options.help_all));
    return run_supervised(
        options, "", [&] { return litmus(options); },
        [](const auto& work, std::string* said) { return supervise(work, said); });
  }
  if (verb == "test") {
    const Options options = parse_test(rest);
    if (options.asks_for_help()) return print(help_text(verb, options.help_all));
    const TestCommand command{words, shell_quoted};
    // Each test has limits of its own. An interrupt is for all of them.
    const auto heed_interrupts = [&](const std::function<int()>& work, std::string* said) {
      return supervise(work, Limits{}, [&](const Cut& cut) { print(report_cut(options, "", cut)); }, said);
    };
    return run_supervised(options, "", [&] { return test(options, command); }, heed_interrupts);
  }
  if (verb == "estimate") {
    const Options options = parse_estimate(rest);
    if (options.asks_for_help()) return print(help_text(verb, options.help_all));
    // It keeps its time limit itself.
    const auto watched = [&](const std::function<int()>& work, std::string* said) {
      const Limits limits{std::nullopt, options.memory_limit.value_or(default_memory_limit())};
      return supervise(work, limits, [&](const Cut& cut) { print(report_cut(options, "", cut)); }, said);
    };
    return run_supervised(options, "", [&] { return estimate(options); }, watched);
  }
  if (verb == "replay") return run_replay(rest);
  if (verb == "worker" || verb == "status") {
    const Options options = parse_queue(rest, verb);
    if (options.asks_for_help()) return print(help_text(verb, options.help_all));
    if (verb == "status") return print(status(options));
    put_libraries_in_place(words);
    const Limits limits{std::nullopt, options.memory_limit.value_or(default_memory_limit())};
    return supervise([&] { return worker(options); }, limits, tell_ended_worker);
  }
  if (verb != "check" && verb != "orders") {
    std::vector<std::string_view> commands = names_of_commands();
    commands.insert(commands.end(), {"completion", "help", "--help", "--version"});
    throw UserError(fmt::format("unknown command {}{}; try `heddle check FILE` or `heddle --help`", verb,
                                did_you_mean(verb, commands)));
  }

  const auto work_of = verb == "check" ? check : orders;
  const Options options = verb == "check" ? parse_check(rest) : parse_orders(rest);
  if (options.asks_for_help()) return print(help_text(verb, options.help_all));
  require_writable_outputs(options);
  if (options.keeps_work()) put_libraries_in_place(words);
  std::string command;
  for (const std::string& word : words) command += (command.empty() ? "" : " ") + shell_quoted(word);
  Limits limits{options.time_limit, options.memory_limit.value_or(default_memory_limit()),
                status_style(options.progress)};
  limits.outputs = names_of_outputs(options);
  return run_supervised(options, command, [&] { return work_of(options, command); }, within(limits, options, command));
}

}  // namespace
}  // namespace heddle::cli

int main(int argc, char** argv) {
  using namespace heddle::cli;
  const std::vector<std::string> words(argv, argv + argc);
  try {
    return run(words);
  } catch (const heddle::UserError& e) {
    std::fprintf(stderr, "heddle: %s\n", e.what());
    print(printed_failure(asked_format(words), run_info({}, ""), "failed", e.what()));
    return kFailed;
  }
}
