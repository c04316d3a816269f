#include "cli/filter.hpp"

#include <algorithm>

namespace heddle::cli {
namespace {

std::vector<std::string> patterns(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(':'), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

bool fits_one_of(std::string_view name, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) { return fits_pattern(name, pattern); });
}

}  // namespace

Filter::Filter(std::string_view text) {
  const std::size_t minus = std::min(text.find('-'), text.size());
  wanted_ = patterns(text.substr(0, minus));
  if (minus < text.size()) unwanted_ = patterns(text.substr(minus + 1));
}

bool Filter::chooses(std::string_view name) const {
  return (wanted_.empty() || fits_one_of(name, wanted_)) && !fits_one_of(name, unwanted_);
}

bool Filter::names(std::string_view name) const { return std::ranges::find(wanted_, name) != wanted_.end(); }

}  // namespace heddle::cli
