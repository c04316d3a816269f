#include "cli/status_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "report/short_number.hpp"

namespace heddle::cli {
namespace {

constexpr std::string_view kErase = "\r\x1b[K";

std::string duration(double seconds) {
  const auto s = static_cast<uint64_t>(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

// In one piece: another process writes, too. A terminal that is gone is no reason to stop.
void put(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(STDERR_FILENO, text.data(), text.size());
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

StatusStyle status_style(std::optional<bool> progress) {
  if (progress) return *progress ? StatusStyle::lines : StatusStyle::none;
  const char* const terminal = std::getenv("TERM");
  const bool can_erase = isatty(STDERR_FILENO) && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
  return can_erase ? StatusStyle::line : StatusStyle::none;
}

std::string status_text(const Status& s) {
  std::string out = s.title.empty() ? "" : s.title + ": ";
  out += fmt::format("{} execution{}", s.executions, s.executions == 1 ? "" : "s");
  if (s.blocked != 0) out += fmt::format(", {} blocked", s.blocked);
  if (s.errors != 0) out += fmt::format(", {} error{}", s.errors, s.errors == 1 ? "" : "s");
  if (s.seconds > 0)
    out += fmt::format(", {}/s", short_number(static_cast<double>(s.executions + s.blocked) / s.seconds));
  out += ", " + duration(s.seconds);
  if (s.depth != 0) out += fmt::format(", depth {}", s.depth);
  // Once there are more, it was wrong.
  if (s.expected > 0 && s.high >= static_cast<double>(s.executions)) {
    out += fmt::format("; about {} in all ({} to {})", short_number(s.expected), short_number(s.low),
                       short_number(s.high));
  }
  return out;
}

void StatusLine::show(const Status& status) const {
  const std::string text = status_text(status);
  if (style_ == StatusStyle::lines) return put("heddle: " + text + "\n");
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  put(std::string(kErase) + text.substr(0, known ? size.ws_col - 1u : 79));
}

void StatusLine::erase() { put(kErase); }

}  // namespace heddle::cli
