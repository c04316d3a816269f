#include "cli/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::cli {

// Damerau's distance, with swaps of letters that are not touched otherwise.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view k : known) {
    const std::size_t d = edit_distance(word, k);
    if (d >= least || d >= k.size()) continue;  // to replace all of it is no slip
    least = d;
    best = k;
  }
  if (!best.empty() || word.size() < 2) return best;
  const auto longer = std::ranges::find_if(known, [&](std::string_view k) { return k.starts_with(word); });
  return longer == known.end() ? best : *longer;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known, std::string_view prefix) {
  const std::string_view meant = nearest(word, known);
  return meant.empty() ? "" : fmt::format(" (did you mean {}{}?)", prefix, meant);
}

}  // namespace heddle::cli
