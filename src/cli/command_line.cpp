#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "cli/option_table.hpp"
#include "cli/suggest.hpp"
#include "core/assert.hpp"
#include "core/error.hpp"

namespace heddle::cli {
namespace {

bool is_number(const Row& row) {
  return std::holds_alternative<Number>(row.target) || std::holds_alternative<OptionalNumber>(row.target) ||
         std::holds_alternative<Loops>(row.target);
}

// The default as the help shows it.
struct Default {
  const Row& row;
  const Options initial;

  std::string operator()(Choice t) const { return initial.*t; }
  std::string operator()(Switch t) const { return initial.*t ? "on" : "off"; }
  std::string operator()(Number t) const { return fmt::format("{}", initial.*t); }
  std::string operator()(OptionalNumber t) const { return optional(initial.*t); }
  std::string operator()(Seconds t) const { return optional(initial.*t); }
  std::string operator()(Text t) const { return optional(initial.*t); }
  std::string operator()(Size t) const { return optional(initial.*t.member); }
  std::string operator()(Toggle f) const {
    const std::optional<bool>& on = initial.*f.member;
    if (!on) return row.unset;
    return *on == f.on ? "on" : "";
  }
  std::string operator()(Question) const { return ""; }
  std::string operator()(Loops) const { return row.unset; }

  template <typename T>
  std::string optional(const std::optional<T>& value) const {
    return value ? fmt::format("{}", *value) : row.unset;
  }
};

std::string default_of(const Row& row) { return std::visit(Default{row, {}}, row.target); }
// As it is set, likewise.
std::string value_of(const Row& row, const Options& options) { return std::visit(Default{row, options}, row.target); }

template <typename T>
std::optional<T> parsed(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse_value(const Row& row, const std::string& value, const std::string& wanted) {
  throw UserError(fmt::format("--{} {}: {}", row.name, value, wanted));
}

std::string choose(const Row& row, const std::string& value) {
  const std::string available = fmt::format("{}", fmt::join(row.choices, ", "));
  if (std::find(row.choices.begin(), row.choices.end(), value) == row.choices.end())
    refuse_value(row, value, fmt::format("expected one of: {}{}", available, did_you_mean(value, row.choices)));
  return value;
}

uint64_t number(const Row& row, const std::string& value) {
  const std::optional<uint64_t> n = parsed<uint64_t>(value);
  if (row.max == 1 && n && *n > 1) refuse_value(row, value, "more than 1 is not available in this version");
  if (!n || *n < row.min || *n > row.max)
    refuse_value(row, value, fmt::format("expected a whole number from {} to {}", row.min, row.max));
  return *n;
}

double seconds(const Row& row, const std::string& value) {
  const std::optional<double> s = parsed<double>(value);
  if (!s || !std::isfinite(*s) || *s <= 0) refuse_value(row, value, "expected a number of seconds above 0");
  return *s;
}

// "1500M" and the like.
uint64_t size(const Row& row, const std::string& value) {
  constexpr std::string_view kUnits = "KMG";
  const std::size_t unit = value.empty() ? kUnits.npos : kUnits.find(static_cast<char>(std::toupper(value.back())));
  const bool has_unit = unit != kUnits.npos;
  const std::optional<uint64_t> n = parsed<uint64_t>(value.substr(0, value.size() - (has_unit ? 1 : 0)));
  const unsigned shift = has_unit ? 10 * (static_cast<unsigned>(unit) + 1) : 0;
  if (!n || *n == 0 || *n > kLargest >> shift)
    refuse_value(row, value, "expected a number of bytes such as 800M or 2G");
  return *n << shift;
}

// N, FUNCTION:N or FILE:LINE:N. A function's name may have colons in it, too.
Unroll loops(const Row& row, const std::string& value) {
  const std::size_t colon = value.rfind(':');
  const std::string where = colon == value.npos ? "" : value.substr(0, colon);
  const std::optional<uint64_t> n = parsed<uint64_t>(colon == value.npos ? value : value.substr(colon + 1));
  if (!n || *n < row.min || *n > row.max || colon == 0)
    refuse_value(row, value,
                 fmt::format("expected a whole number from {} to {}, or FUNCTION:N or FILE:LINE:N", row.min, row.max));
  Unroll unroll{.rounds = static_cast<unsigned>(*n)};
  const std::size_t before = where.rfind(':');
  const std::optional<unsigned> line = before == where.npos ? std::nullopt : parsed<unsigned>(where.substr(before + 1));
  if (line) {
    unroll.file = where.substr(0, before);
    unroll.line = *line;
  } else {
    unroll.function = where;
  }
  return unroll;
}

struct Setter {
  const Row& row;
  Options& options;
  const std::string& value;

  void operator()(Choice t) const { options.*t = choose(row, value); }
  void operator()(Switch t) const { options.*t = true; }
  void operator()(Number t) const { options.*t = number(row, value); }
  void operator()(OptionalNumber t) const { options.*t = number(row, value); }
  void operator()(Seconds t) const { options.*t = seconds(row, value); }
  void operator()(Text t) const {
    if (value.empty()) refuse_value(row, value, "expected a text");
    options.*t = value;
  }
  void operator()(Size t) const { options.*t.member = size(row, value); }
  void operator()(Question r) const { options.*r.member = true; }
  void operator()(Toggle f) const { options.*f.member = f.on; }
  void operator()(Loops) const { options.unroll.push_back(loops(row, value)); }
};

void add_rows(CLI::App& app, Options& options, unsigned command) {
  for (const Row& row : table()) {
    const std::string flag = fmt::format("--{}{}{}", row.name, *row.letter ? ",-" : "", row.letter);
    const auto set = [&row, &options, command](const std::string& value) {
      if (!(row.commands & command)) {
        throw UserError(fmt::format("--{0} is not an option of {1}; `heddle {1} --help` lists the options", row.name,
                                    name_of(command)));
      }
      std::visit(Setter{row, options, value}, row.target);
    };
    if (*row.argument)
      app.add_option_function<std::string>(flag, set)->take_last()->trigger_on_parse();
    else
      app.add_flag_callback(flag, [set] { set(""); })
          ->trigger_on_parse();  // of --purity and --no-purity the last one counts
  }
}

std::vector<std::string_view> names_of_options(unsigned command) {
  std::vector<std::string_view> names;
  for (const Row& row : table()) {
    if (row.commands & command) names.push_back(row.name);
  }
  return names;
}

[[noreturn]] void refuse_clang_argument(const std::string& word, const std::vector<std::string>& words,
                                        unsigned command) {
  const auto is_source = [](const std::string& w) {
    return !w.starts_with('-') && (w.ends_with(".c") || w.ends_with(".cpp") || w.ends_with(".cc"));
  };
  const auto file = std::ranges::find_if(words, is_source);
  const bool has_value = word == "-I" || word == "-D" || word == "-U" || word == "-include" || word == "-isystem";
  throw UserError(fmt::format("{0}: what is for clang goes after --, as in: heddle {1} {2} -- {0}{3}", word,
                              name_of(command), file == words.end() ? "FILE" : *file, has_value ? " ..." : ""));
}

std::string unknown_option(const std::string& word, const std::vector<std::string>& files, unsigned command) {
  const std::string name = word.substr(0, word.find('=')).substr(word.starts_with("--") ? 2 : 1);
  const std::vector<std::string_view> known = names_of_options(command);
  const bool one_dash = !word.starts_with("--");
  const bool has_clang = (command & (kLitmus | kQueues)) == 0;
  // A single dash is how clang writes its options, but -model may be a slip, too.
  const bool slip = one_dash ? std::ranges::find(known, name) != known.end() : !nearest(name, known).empty();
  if (has_clang && !slip && (one_dash || word.starts_with("--std="))) refuse_clang_argument(word, files, command);
  return fmt::format("unknown option {}{}; `heddle {} {}` lists the options", word, did_you_mean(name, known, "--"),
                     name_of(command), has_clang ? "--help-all" : "--help");
}

// -p has a value, so that -pthread would be the build in a folder "thread".
void check_words(const std::vector<std::string>& words, unsigned command) {
  if ((command & (kLitmus | kQueues)) != 0) return;
  for (const std::string& word : words) {
    if (word == "-pthread" || word == "-pipe" || word.starts_with("-pedantic"))
      refuse_clang_argument(word, words, command);
  }
}

// Options of heddle after -- would be clang's.
void check_clang_words(const std::vector<std::string>& words, unsigned command) {
  for (const std::string& word : words) {
    if (!word.starts_with("--") || word == "--verbose" || word.starts_with("--help")) continue;
    const std::vector<std::string_view> known = names_of_options(command);
    if (std::ranges::find(known, word.substr(2, word.find('=') - 2)) != known.end())
      throw UserError(fmt::format("{}: an option of heddle goes before --; what follows is for clang", word));
  }
}

std::string said_plainly(const CLI::ParseError& e, const CLI::App& app, const Options& options, unsigned command) {
  if (const std::vector<std::string> extras = app.remaining(); !extras.empty())
    return unknown_option(extras.front(), options.files, command);
  return fmt::format("{}; `heddle {} --help` lists the options", e.what(), name_of(command));
}

std::string usage_line(const Row& row) {
  const std::string name =
      fmt::format("{}{}{}--{}", *row.letter ? "-" : "", row.letter, *row.letter ? ", " : "", row.name);
  return *row.argument ? fmt::format("{} {}", name, row.argument) : name;
}

// What may follow the help: choices, range, default.
std::string details(const Row& row) {
  std::string out;
  if (!row.choices.empty()) out += fmt::format("{}; ", fmt::join(row.choices, " | "));
  if (*row.argument) out += fmt::format("default: {}", default_of(row));
  return out;
}

// Breaks `text` into lines of at most `width` characters.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    const std::size_t cut = text.rfind(' ', width);
    HEDDLE_ASSERT(cut != text.npos);  // no word is that long
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut + 1);
  }
  lines.emplace_back(text);
  return lines;
}

std::string usage() {
  std::string out;
  for (const CommandRow& c : kCommands)
    out += fmt::format("{:<7}heddle {} [options] {}\n", out.empty() ? "usage:" : "", c.name, c.operands);
  return out + fmt::format("       heddle completion {}\n", fmt::join(kShells, "|")) +
         "       heddle help | heddle --help | heddle --version\n";
}

constexpr const char* kExit =
    "Exit status: 0 verified, 1 a bug was found, 2 usage, compile or internal error, 3 incomplete (a limit was hit).\n"
    "For test: 0 every test is verified, 1 a bug in some test, else 2 or 3 if one failed or is incomplete.\n"
    "For orders: as for check, of the test as it is; 3 also if a limit came before all orders were tried.\n"
    "For replay: 1 the saved execution has been run again, 2 it cannot be.\n"
    "For worker: 0 there is no more work, 2 it could not help. For status: 0 there is such a check, 2 there is none.\n"
    "For litmus: 0 every test was run, whatever it answers, 2 usage, mistake in a test, or internal error.\n";

Algorithm algorithm_of(const Options& options) { return algorithm_named(options.algorithm).value(); }
ModelKind model_of(const Options& options) { return model_named(options.model).value(); }

void parse(const std::vector<std::string>& arguments, unsigned command, Options& options) {
  CLI::App app;
  app.set_help_flag();
  app.add_option("FILE", options.files);
  add_rows(app, options, command);
  check_words(arguments, command);
  try {
    // CLI11 takes its arguments from the back.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& e) {
    throw UserError(said_plainly(e, app, options, command));
  }
}

// What the theory does not cover (explore/request/coverage.cpp).
void check_coverage(const Options& options) {
  if (const std::string why = why_not(algorithm_of(options), model_of(options)); !why.empty()) throw UserError(why);
  const std::pair<bool, Feature> asked[] = {
      {options.symmetry == true, Feature::symmetry},   {options.helping == true, Feature::helping},
      {options.psc.has_value(), Feature::psc},         {options.count_duplicates, Feature::count_duplicates},
      {options.commute.has_value(), Feature::commute}, {options.signals.has_value(), Feature::signals},
      {options.closure.has_value(), Feature::closure}, {options.auxiliary.has_value(), Feature::auxiliary},
      {options.greedy.has_value(), Feature::greedy},   {options.queue.has_value(), Feature::queue}};
  for (const auto& [on, feature] : asked) {
    if (!on) continue;
    if (const std::string why = why_not_feature(options, feature); !why.empty()) throw UserError(why);
  }
}

}  // namespace

std::string why_not_feature(const Options& options, Feature feature) {
  if (feature == Feature::helping && options.spurious_cas) {
    return "--helping --spurious-cas: leaving out helping operations is proved right only for cas that do not fail "
           "spuriously; use --no-helping";
  }
  return why_not(algorithm_of(options), model_of(options), feature);
}

namespace {

void refuse_sarif(const Options& options, unsigned command) {
  if (options.format != "sarif") return;
  throw UserError(fmt::format("--format sarif: only check has it; for {} use --format json{}", name_of(command),
                              command == kTest ? " or --junit" : ""));
}

Options parse_program(const std::vector<std::string>& arguments, unsigned command) {
  Options options;
  const auto split = std::find(arguments.begin(), arguments.end(), "--");
  if (split != arguments.end()) options.clang_args.assign(split + 1, arguments.end());
  parse({arguments.begin(), split}, command, options);
  check_clang_words(options.clang_args, command);
  if (options.files.empty() && !options.asks_for_help()) {
    throw UserError(
        fmt::format("no source file given; usage: heddle {} [options] FILE... [-- CLANG ARGUMENTS]", name_of(command)));
  }
  check_coverage(options);
  if (options.suppress && options.races == "ignore")
    throw UserError("--suppress --races ignore: where all races are ignored, none is left to be suppressed");
  if (options.any_error && options.keep_going)
    throw UserError("--any-error --keep-going: all errors are looked for; leave out --any-error");
  for (const std::string& file : options.files) {
    if (file.ends_with(".litmus")) throw UserError(file + ": a litmus test is not a program; use `heddle litmus`");
  }
  return options;
}

}  // namespace

namespace {

// What cannot be told of a check that others help, or that goes on after another one.
void check_kept_work(const Options& options) {
  const bool file = options.checkpoint || options.resume;
  if (options.lease && !options.queue) throw UserError("--lease: it is for --queue");
  if (!options.queue && !file) return;
  const std::string which = options.queue ? "--queue" : options.checkpoint ? "--checkpoint" : "--resume";
  if (options.queue && file) {
    throw UserError(
        "--queue with --checkpoint or --resume: what is in Redis stays there when the check is interrupted; the same "
        "command goes on from there");
  }
  const std::pair<bool, const char*> without[] = {
      {options.keep_going, "--keep-going: an error ends the work of all"},
      {options.count_duplicates, "--count-duplicates: it needs all executions in one process"},
      {options.max_executions.has_value(), "--max-executions: no process counts for all; use --time-limit"},
      {options.suppress.has_value(), "--suppress: the races that are suppressed are counted in one process"},
      {options.print_ir, "--print-ir: nothing is explored"}};
  for (const auto& [asked, why] : without) {
    if (asked) throw UserError(fmt::format("{} {}; leave one of them out", which, why));
  }
}

}  // namespace

Options parse_queue(const std::vector<std::string>& arguments, const std::string& command) {
  const unsigned set = command == "worker" ? kWorker : kStatus;
  Options options;
  parse(arguments, set, options);
  if (options.asks_for_help()) return options;
  if (options.files.size() != 1 || !options.files[0].starts_with("redis")) {
    throw UserError(fmt::format("{0} wants one address, as in: heddle {0} redis://HOST/NAME", command));
  }
  options.queue = options.files[0];
  if (set == kStatus) refuse_sarif(options, kStatus);
  return options;
}

Options parse_check(const std::vector<std::string>& arguments) {
  Options options = parse_program(arguments, kCheck);
  options.words = arguments;
  check_kept_work(options);
  if (options.print_ir && (options.report || options.dot || options.junit || options.save || options.format != "text"))
    throw UserError("--print-ir: nothing is explored, so that there is nothing for a report; leave it out");
  return options;
}

Options parse_orders(const std::vector<std::string>& arguments) {
  Options options = parse_program(arguments, kOrders);
  refuse_sarif(options, kOrders);
  return options;
}

Options parse_test(const std::vector<std::string>& arguments) {
  Options options = parse_program(arguments, kTest);
  refuse_sarif(options, kTest);
  return options;
}

Options parse_estimate(const std::vector<std::string>& arguments) {
  Options options = parse_program(arguments, kEstimate);
  if (const std::string why = why_not_feature(options, Feature::estimate); !why.empty()) throw UserError(why);
  refuse_sarif(options, kEstimate);
  return options;
}

Options parse_replay(const std::vector<std::string>& arguments, const Options& check) {
  Options options = check;
  options.report = options.dot = options.junit = options.save = std::nullopt;
  options.checkpoint = options.resume = options.queue = std::nullopt;
  options.print_ir = false;
  options.files.clear();
  const auto split = std::find(arguments.begin(), arguments.end(), "--");
  if (split != arguments.end()) options.gdb_args.assign(split + 1, arguments.end());
  parse({arguments.begin(), split}, kReplay, options);
  if (options.asks_for_help()) return options;
  if (options.files.size() != 1)
    throw UserError(
        "replay wants one file, which `heddle check --save FILE` has written; `heddle replay --help` says more");
  if (split != arguments.end() && !options.gdb)
    throw UserError("replay: what follows -- is for gdb; use --gdb, or leave it out");
  options.saved = options.files[0];
  options.files = check.files;
  return options;
}

Options parse_litmus(const std::vector<std::string>& arguments) {
  Options options;
  parse(arguments, kLitmus, options);
  if (options.files.empty() && !options.asks_for_help())
    throw UserError("no litmus test given; usage: heddle litmus [options] FILE.litmus...");
  refuse_sarif(options, kLitmus);
  check_coverage(options);
  if (algorithm_of(options) == Algorithm::rvf) {
    throw UserError(
        "--algorithm rvf: a litmus test asks for the last values of locations, which this algorithm does not tell "
        "apart; use --algorithm await");
  }
  return options;
}

std::vector<std::string_view> names_of_commands() {
  std::vector<std::string_view> names;
  for (const CommandRow& c : kCommands) names.emplace_back(c.name);
  return names;
}

namespace {

// The options of a command, one or more lines each.
std::string option_lines(unsigned command, bool all) {
  constexpr std::size_t kColumn = 26;
  std::string out;
  for (const Row& row : table()) {
    if (!(row.commands & command) || !(row.first || all)) continue;
    std::string text = row.help;
    if (const std::string more = details(row); !more.empty()) text += fmt::format(" ({})", more);
    std::string left = "  " + usage_line(row);
    for (const std::string& line : wrapped(text, 100 - kColumn)) {
      out += fmt::format("{:<{}}{}\n", left, kColumn, line);
      left.clear();
    }
  }
  return out;
}

std::string more_options(const CommandRow& command) {
  return fmt::format("`heddle {} --help-all` shows all options", command.name);
}

}  // namespace

std::string help_text() {
  std::string out = fmt::format(
      "heddle checks concurrent C and C++ programs: it runs every execution that the memory model allows.\n\n{}\n",
      usage());
  for (const CommandRow& c : kCommands) out += fmt::format("  {:<10}{}\n", c.name, c.help);
  return out + "\nThe options of check that are needed most:\n" + option_lines(kCheck, false) + "\n" +
         more_options(kCommands[0]) + "; the other commands have --help, too.\n\n" + kExit;
}

std::string help_text(const std::string& command, bool all) {
  const CommandRow* const c = std::ranges::find(kCommands, command, &CommandRow::name);
  const bool shows_all = (c->set & (kLitmus | kReplay | kQueues)) != 0;  // they have few
  std::string out = fmt::format("usage: heddle {} [options] {}\n\n{}:\n{}", c->name, c->operands,
                                all || shows_all ? "Options" : "The options that are needed most",
                                option_lines(c->set, all || shows_all));
  if (c->set == kReplay) {
    out += "\nAll else is as the check had it. With --gdb, what follows -- goes to gdb.\n";
  } else if (!shows_all) {
    out += "\nWhat follows -- goes to clang, as in: heddle " + command + " FILE -- -std=c++20 -Iinclude\n";
  }
  if (!all && !shows_all) out += more_options(*c) + ".\n";
  return out + "\n" + kExit;
}

// Which algorithm explores which model, and with what (explore/request/coverage.cpp).
std::string coverage_markdown() {
  std::string out = "\n## What goes together\n\n| algorithm | models | with |\n|---|---|---|\n";
  for (const Algorithm a : kAlgorithms) {
    std::string models;
    std::string features;
    for (const ModelKind m : kModels) {
      if (why_not(a, m).empty()) models += fmt::format("{}{}", models.empty() ? "" : ", ", name(m));
    }
    for (const Feature f : kFeatures) {
      std::string covered;
      std::size_t left_out = 0;
      for (const ModelKind m : kModels) {
        if (!why_not(a, m).empty()) continue;
        if (!why_not(a, m, f).empty()) {
          ++left_out;
        } else {
          covered += fmt::format("{}{}", covered.empty() ? "" : ", ", name(m));
        }
      }
      if (covered.empty()) continue;
      features += fmt::format("{}`--{}`{}", features.empty() ? "" : ", ", name(f),
                              left_out == 0 ? "" : fmt::format(" ({})", covered));
    }
    out += fmt::format("| {} | {} | {} |\n", name(a), models, features);
  }
  return out + "\nAny other pair is refused, with the reason.\n";
}

std::string deciding_options(const Options& options) {
  std::string out;
  for (const Row& row : table()) {
    if (!row.decides || !(row.commands & kCheck)) continue;
    const std::string value = value_of(row, options);
    const bool off = std::holds_alternative<Toggle>(row.target) && value != "on";
    if (off || value == default_of(row)) continue;
    out += fmt::format("{}--{}{}{}", out.empty() ? "" : " ", row.name, *row.argument ? " " : "",
                       *row.argument ? value : "");
  }
  return out;
}

std::string commands_text(unsigned commands) {
  std::string out;
  for (const CommandRow& c : kCommands) {
    if (commands & c.set) out += fmt::format("{}{}", out.empty() ? "" : ", ", c.name);
  }
  return out;
}

std::string help_markdown() {
  std::string out = fmt::format(
      "# Options\n\nWritten by `heddle help --markdown`; do not edit.\n\n```\n{}```\n\n"
      "Everything after `--` goes to clang, for example `heddle check test.c -- -DN=3 -Iinclude`. What is for a "
      "linker has no effect. What would make clang write something else, or code for another machine, is refused: "
      "`-c`, "
      "`-S`, `-E`, `-o`, `-M…`, `-m32`, `-fsanitize=…` and their like.\n\n"
      "| option | of | default | values | meaning |\n|---|---|---|---|---|\n",
      usage());
  for (const Row& row : table()) {
    std::string values = fmt::format("{}", fmt::join(row.choices, ", "));
    if (is_number(row) && row.max < kLargest)
      values = row.min == row.max ? fmt::format("{}", row.min) : fmt::format("{} to {}", row.min, row.max);
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", usage_line(row), commands_text(row.commands), default_of(row),
                       values, row.help);
  }
  out += "\n" + std::string(kExit);
  return out + coverage_markdown();
}

}  // namespace heddle::cli
