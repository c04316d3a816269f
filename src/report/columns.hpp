// Lays a trace out with one column per thread, or as a plain list when there are too many threads for the width.
#pragma once

#include <string>
#include <vector>

#include "report/steps.hpp"

namespace heddle {

struct Row {
  std::size_t column = 0;
  std::string text;
  std::size_t left_out = 0;  // if not 0: this many steps are missing here, and the rest of the row is unused
  bool bad = false;          // stands out: the failure, or a thread that waits for ever
  std::size_t times = 1;     // it, and the `again` rows before it, so often in a row
  std::size_t again = 0;
  bool operator==(const Row&) const = default;
};

// Rows that come several times in a row stand there once.
std::vector<Row> without_repetitions(const std::vector<Row>& rows);

std::string lay_out(const std::vector<std::string>& headers, const std::vector<Row>& rows, const Style& style);

// In lines of at most this width if there are blanks, the second and later ones with a margin.
std::vector<std::string> wrapped(std::string text, std::size_t width, std::size_t hanging);

// Characters that a terminal shows for this UTF-8 text.
std::size_t shown_width(const std::string& text);

}  // namespace heddle
