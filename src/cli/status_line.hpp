// What the user sees while a program is explored: how far it has come.
//
// On a terminal it is one line, rewritten in place, that is erased before anything else is printed. With --progress it
// is a line each second. It goes to stderr.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::cli {

enum class StatusStyle : uint8_t { none, line, lines };

// progress: what the user asks for, if anything.
StatusStyle status_style(std::optional<bool> progress);

struct Status {
  std::string title;  // what is explored, if that needs saying
  uint64_t executions = 0;
  uint64_t blocked = 0;
  uint64_t errors = 0;
  uint64_t depth = 0;   // 0: not known
  double seconds = 0;   // of exploring
  double expected = 0;  // executions in all; 0: not known
  double low = 0, high = 0;
};

// "12k executions, 3 blocked, 330k/s, 12 s, depth 7; about 40k in all (30k to 50k)". Blanks are left out.
std::string status_text(const Status& status);

class StatusLine {
 public:
  explicit StatusLine(StatusStyle style) : style_(style) {}

  // Seconds of exploring before the first one, and between two.
  double first() const { return 0.5; }
  double interval() const { return style_ == StatusStyle::line ? 0.2 : 1; }
  bool is_on() const { return style_ != StatusStyle::none; }

  void show(const Status& status) const;
  // Takes the line away, if it is one that stays.
  static void erase();

 private:
  StatusStyle style_;
};

}  // namespace heddle::cli
