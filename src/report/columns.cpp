#include "report/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/assert.hpp"

namespace heddle {
namespace {

constexpr std::size_t kIndent = 2;      // before the first column
constexpr std::size_t kGap = 2;         // between columns
constexpr std::size_t kNarrowest = 24;  // a column narrower than this is unreadable
constexpr std::size_t kHanging = 5;     // continuation lines of a cell stand under its text, right of the line number

std::string bold_red(const std::string& text, const Style& style) {
  return style.colour ? "\x1b[1;31m" + text + "\x1b[0m" : text;
}

std::string bold(const std::string& text, const Style& style) {
  return style.colour ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t shown = shown_width(text);
  return shown < width ? text + std::string(width - shown, ' ') : text;
}

// Bytes of the longest prefix that is at most `width` wide, broken after a blank if there is one past the indent.
std::size_t break_at(const std::string& text, std::size_t width, std::size_t indent) {
  std::size_t bytes = 0, columns = 0, blank = 0;
  while (bytes < text.size()) {
    std::size_t next = bytes + 1;
    while (next < text.size() && (text[next] & 0xc0) == 0x80) ++next;
    if (++columns > width) return blank ? blank : bytes;
    if (text[bytes] == ' ' && columns > indent + 1) blank = next;
    bytes = next;
  }
  return bytes;
}

// The beginning of a name that is too long.
std::string shortened(const std::string& text, std::size_t width) {
  return shown_width(text) <= width ? text : text.substr(0, break_at(text, width - 1, width)) + "~";
}

// As wide as the contents if that fits; otherwise the widest columns give way.
std::vector<std::size_t> column_widths(const std::vector<std::string>& headers, const std::vector<Row>& rows,
                                       std::size_t total) {
  std::vector<std::size_t> widths;
  for (const std::string& header : headers) widths.push_back(shown_width(header));
  HEDDLE_ASSERT(std::ranges::all_of(rows, [&](const Row& r) { return r.left_out || r.column < headers.size(); }));
  for (const Row& row : rows)
    if (!row.left_out) widths[row.column] = std::max(widths[row.column], shown_width(row.text));
  while (std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1)) > total) {
    auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kNarrowest) break;
    --*widest;
  }
  return widths;
}

std::string left_out(std::size_t count, const Style& style) {
  return fmt::format("{:{}}{} {} step{} left out {}\n", "", kIndent, style.dots(), count, count == 1 ? "" : "s",
                     style.dots());
}

std::string repeated(const Row& row, const Style& style) {
  if (row.times == 1) return "";
  const std::string lines = row.again == 0 ? "this line" : fmt::format("these {} lines", row.again + 1);
  return fmt::format("{:{}}{} {} {} times in a row {}\n", "", kIndent, style.dots(), lines, row.times, style.dots());
}

std::string as_list(const std::vector<std::string>& headers, const std::vector<Row>& rows, const Style& style) {
  std::size_t name_width = 0;
  for (const std::string& header : headers) name_width = std::max(name_width, shown_width(header));
  name_width = std::min<std::size_t>(name_width, 30);
  const std::size_t room =
      style.width > name_width + kIndent + kGap + kNarrowest ? style.width - name_width - kIndent - kGap : kNarrowest;
  std::string out;
  for (const Row& row : rows) {
    if (row.left_out) {
      out += left_out(row.left_out, style);
      continue;
    }
    std::string who = shortened(headers[row.column], name_width);
    for (const std::string& line : wrapped(row.text, room, kHanging)) {
      out += std::string(kIndent, ' ') + padded(who, name_width + kGap);
      out += (row.bad ? bold_red(line, style) : line) + "\n";
      who.clear();
    }
    out += repeated(row, style);
  }
  return out;
}

}  // namespace

std::vector<std::string> wrapped(std::string text, std::size_t width, std::size_t hanging) {
  HEDDLE_ASSERT(width > hanging);
  std::vector<std::string> lines;
  while (shown_width(text) > width) {
    const std::size_t cut = break_at(text, width, hanging);
    HEDDLE_ASSERT(cut > hanging);  // the rest gets shorter
    std::string line = text.substr(0, cut);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
    text = std::string(hanging, ' ') + text.substr(cut);
  }
  lines.push_back(text);
  return lines;
}

std::size_t shown_width(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
}

std::vector<Row> without_repetitions(const std::vector<Row>& rows) {
  constexpr std::size_t kLongest = 8;  // rows of a round
  std::vector<Row> out;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t best = 0, times = 1;
    for (std::size_t length = 1; length <= kLongest && i + 2 * length <= rows.size(); ++length) {
      const auto first = rows.begin() + static_cast<std::ptrdiff_t>(i);
      const auto n = static_cast<std::ptrdiff_t>(length);
      std::size_t count = 1;
      while (i + (count + 1) * length <= rows.size() &&
             std::equal(first, first + n, first + static_cast<std::ptrdiff_t>(count) * n))
        ++count;
      // Two equal rows are told as quickly as a row and its number.
      if (count > 1 && (count - 1) * length > (times - 1) * best && count * length > 2) best = length, times = count;
    }
    const std::size_t length = std::max<std::size_t>(best, 1);
    out.insert(out.end(), rows.begin() + static_cast<std::ptrdiff_t>(i),
               rows.begin() + static_cast<std::ptrdiff_t>(i + length));
    if (best != 0) out.back().times = times, out.back().again = best - 1;
    i += length * times;
  }
  HEDDLE_ASSERT(std::accumulate(out.begin(), out.end(), std::size_t{0}, [](std::size_t n, const Row& row) {
                  return n + 1 + (row.times - 1) * (row.again + 1);
                }) == rows.size());
  return out;
}

std::string lay_out(const std::vector<std::string>& headers, const std::vector<Row>& rows, const Style& style) {
  if (headers.empty()) return "";
  HEDDLE_ASSERT(style.width > kIndent);
  const std::vector<std::size_t> widths = column_widths(headers, rows, style.width - kIndent);
  if (std::accumulate(widths.begin(), widths.end(), kIndent + kGap * (widths.size() - 1)) > style.width)
    return as_list(headers, rows, style);

  std::string out(kIndent, ' ');
  for (std::size_t c = 0; c < headers.size(); ++c) {
    const std::string header = shortened(headers[c], widths[c]);
    HEDDLE_ASSERT(shown_width(header) <= widths[c]);
    const bool last = c + 1 == headers.size();
    out += bold(header, style);
    if (!last) out += std::string(widths[c] + kGap - shown_width(header), ' ');
  }
  out += "\n";
  for (const Row& row : rows) {
    if (row.left_out) {
      out += left_out(row.left_out, style);
      continue;
    }
    const std::size_t before = std::accumulate(widths.begin(), widths.begin() + row.column, row.column * kGap);
    for (const std::string& line : wrapped(row.text, widths[row.column], kHanging))
      out += std::string(kIndent + before, ' ') + (row.bad ? bold_red(line, style) : line) + "\n";
    out += repeated(row, style);
  }
  return out;
}

}  // namespace heddle
