#include "core/suppression.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/pattern.hpp"

namespace heddle {
namespace {

constexpr std::string_view kRace = "race:";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t from = std::min(text.find_first_not_of(kBlank), text.size());
  const std::size_t to = text.find_last_not_of(kBlank);
  return to == text.npos ? "" : text.substr(from, to + 1 - from);
}

// Text before and after may be anything, unless there is an anchor.
bool fits(std::string_view name, std::string_view pattern, bool to_the_end) {
  const bool from_start = pattern.starts_with('^');
  if (from_start) pattern.remove_prefix(1);
  if (pattern.ends_with('$')) {
    pattern.remove_suffix(1);
    to_the_end = true;
  }
  std::string whole;
  if (!from_start) whole.push_back('*');
  whole.append(pattern);
  if (!to_the_end) whole.push_back('*');
  return fits_pattern(name, whole);
}

// ThreadSanitizer's names have them. "operator()" and "(anonymous namespace)::f" are names.
bool has_parameters(std::string_view pattern) {
  for (std::size_t at = pattern.find('('); at != pattern.npos; at = pattern.find('(', at + 1)) {
    const bool is_operator = pattern.substr(0, at).ends_with("operator") && pattern.substr(at).starts_with("()");
    if (!is_operator && !pattern.substr(at).starts_with("(anonymous")) return true;
  }
  return false;
}

}  // namespace

bool Suppression::matches(std::string_view name) const { return !name.empty() && fits(name, pattern, false); }

bool Suppression::matches(const SiteTable& sites, SiteId site) const {
  for (; site != kNoSite; site = sites[site].caller) {
    const Site& s = sites[site];
    if (matches(s.function) || matches(s.file)) return true;
    // stack.h:12 does not mean stack.h:123.
    if (!s.file.empty() && fits(s.file + ":" + std::to_string(s.line), pattern, true)) return true;
  }
  return false;
}

std::vector<Suppression> parse_suppressions(std::string_view text, const std::string& file) {
  std::vector<Suppression> all;
  unsigned number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const auto refuse = [&](const std::string& why) {
      throw UserError(file + ":" + std::to_string(number) + ": " + why);
    };
    if (!line.starts_with(kRace)) {
      refuse(std::string(line) + " is no suppression; a line is race:PATTERN, a # comment, or empty");
    }
    const std::string_view pattern = trimmed(line.substr(kRace.size()));
    if (pattern.find_first_not_of("*^$") == pattern.npos)
      refuse(
          "race: needs a pattern: a part of the name of a function, file or variable; for all races use --races "
          "ignore");
    if (has_parameters(pattern)) refuse("names of functions have no parameters here: leave out what begins with (");
    if (pattern.find('^', 1) != pattern.npos || pattern.substr(0, pattern.size() - 1).find('$') != pattern.npos)
      refuse("^ may only stand at the beginning of a pattern, $ only at its end");
    all.push_back({std::string(pattern), file, number});
  }
  return all;
}

}  // namespace heddle
