// The options of the commands, as a table: the command line, the help and the docs are made of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/options.hpp"

namespace heddle::cli {

using Choice = std::string Options::*;
using Switch = bool Options::*;
using Number = uint64_t Options::*;
using OptionalNumber = std::optional<uint64_t> Options::*;
using Seconds = std::optional<double> Options::*;
using Text = std::optional<std::string> Options::*;
// A number of bytes.
struct Size {
  std::optional<uint64_t> Options::* member;
};
// A switch that asks for something else than a run, so that "off" says nothing.
struct Question {
  bool Options::* member;
};
// A switch that sets a feature on or off.
struct Toggle {
  std::optional<bool> Options::* member;
  bool on;
};
// Bounds of loops; each adds one.
struct Loops {};

// Commands, as a set.
inline constexpr unsigned kCheck = 1;
inline constexpr unsigned kLitmus = 2;
inline constexpr unsigned kTest = 4;
inline constexpr unsigned kEstimate = 8;
inline constexpr unsigned kOrders = 16;
inline constexpr unsigned kReplay = 32;
inline constexpr unsigned kWorker = 64;
inline constexpr unsigned kStatus = 128;
inline constexpr unsigned kExploring = kCheck | kTest;
inline constexpr unsigned kPrograms = kExploring | kEstimate | kOrders;
inline constexpr unsigned kQueues = kWorker | kStatus;  // of a queue, not of files
inline constexpr unsigned kAll = kPrograms | kLitmus | kReplay | kQueues;

struct CommandRow {
  unsigned set;
  const char* name;
  const char* operands;
  const char* help;
};
inline constexpr CommandRow kCommands[] = {
    {kCheck, "check", "FILE... [-- CLANG ARGUMENTS]", "run every execution of a program"},
    {kTest, "test", "FILE... [-- CLANG ARGUMENTS]", "the same for each test of GoogleTest or Catch2"},
    {kOrders, "orders", "FILE... [-- CLANG ARGUMENTS]", "which memory orders a program needs"},
    {kReplay, "replay", "SAVED-FILE [-- GDB ARGUMENTS]",
     "run a failing execution again, which check --save has written"},
    {kEstimate, "estimate", "FILE... [-- CLANG ARGUMENTS]", "guess how many executions a program has"},
    {kLitmus, "litmus", "FILE.litmus...", "the states in which a litmus test can end"},
    {kWorker, "worker", "redis://HOST/NAME", "help a check on another machine, which was started with --queue"},
    {kStatus, "status", "redis://HOST/NAME", "how far such a check has come"},
};

inline const char* name_of(unsigned command) {
  for (const CommandRow& c : kCommands) {
    if (c.set == command) return c.name;
  }
  return "";
}

inline constexpr const char* kShells[] = {"bash", "zsh", "fish"};

// A larger number could not be told in JSON.
inline constexpr uint64_t kLargest = UINT64_C(1) << 53;

// An option. Its default is the initial value of the member of Options that it sets.
struct Row {
  const char* name;           // without dashes
  const char* letter = "";    // a short name
  const char* argument = "";  // what the help calls the value; empty for a switch
  std::variant<Choice, Switch, Number, OptionalNumber, Seconds, Text, Size, Question, Toggle, Loops> target;
  const char* unset = "";                 // of a member that is optional: what it means that it has no value
  std::vector<std::string_view> choices;  // of a Choice
  uint64_t min = 1, max = kLargest;       // of a number
  unsigned commands = kPrograms;          // that have it
  bool first = false;                     // --help shows it; --help-all shows all
  bool decides = true;                    // what is explored, or how it is counted
  const char* help;
};

const std::vector<Row>& table();

}  // namespace heddle::cli
