// The command `heddle`: picks the command, and runs it in a supervised child process.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "cli/check.hpp"
#include "cli/litmus.hpp"
#include "cli/memory_limit.hpp"
#include "cli/options.hpp"
#include "cli/supervise.hpp"
#include "core/error.hpp"

namespace heddle::cli {
namespace {

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=./:,@%") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

int print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return std::fflush(stdout) == 0 ? kVerified : kFailed;
}

int help(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments[0] == "check" || arguments[0] == "litmus") return print(help_text());
  if (arguments[0] == "--markdown") return print(help_markdown());
  throw UserError(fmt::format("no help for {}; try `heddle help`", arguments[0]));
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
  if (verb == "litmus") {
    const Options options = parse_litmus(rest);
    if (options.help) return print(help_text());
    return supervise([&] { return litmus(options); });
  }
  if (verb != "check")
    throw UserError(fmt::format("unknown command {}; try `heddle check FILE` or `heddle --help`", verb));

  const Options options = parse_check(rest);
  if (options.help) return print(help_text());
  std::string command;
  for (const std::string& word : words) command += (command.empty() ? "" : " ") + quoted(word);
  const Limits limits{options.time_limit, options.memory_limit.value_or(default_memory_limit())};
  return supervise([&] { return check(options, command); }, limits,
                   [&](const Cut& cut) { report_cut(options, command, cut); });
}

}  // namespace
}  // namespace heddle::cli

int main(int argc, char** argv) {
  try {
    return heddle::cli::run(std::vector<std::string>(argv, argv + argc));
  } catch (const heddle::UserError& e) {
    std::fprintf(stderr, "heddle: %s\n", e.what());
    return heddle::cli::kFailed;
  }
}
