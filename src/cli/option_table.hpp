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
inline constexpr unsigned kOrders = 8;
inline constexpr unsigned kReplay = 16;
inline constexpr unsigned kPrograms = kCheck | kTest | kOrders;
inline constexpr unsigned kAll = kPrograms | kLitmus | kReplay;

inline const char* name_of(unsigned command) {
  switch (command) {
    case kCheck: return "check";
    case kTest: return "test";
    case kOrders: return "orders";
    case kReplay: return "replay";
    default: return "litmus";
  }
}

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
  const char* help;
};

const std::vector<Row>& table();

}  // namespace heddle::cli
