// --suppress: data races that are no errors, as ThreadSanitizer's users write them down: race:PATTERN on a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/site.hpp"

namespace heddle {

struct Suppression {
  std::string pattern;  // * for any characters; ^ and $ for the beginning and the end, where else any text may be
  std::string file;     // where it is written down
  unsigned line = 0;

  // Whether it means the access at this place: its function, its file or its file:line, or that of a call which was
  // inlined there.
  bool matches(const SiteTable& sites, SiteId site) const;
  bool matches(std::string_view name) const;
};

// The contents of a file. Lines without anything and those that begin with # are left out. Throws UserError.
std::vector<Suppression> parse_suppressions(std::string_view text, const std::string& file);

// A race that a suppression has let pass.
struct SuppressedRace {
  SiteId site = kNoSite;
  SiteId other_site = kNoSite;
  std::string variable;  // what is accessed, as reports name it
  Suppression by;
  uint64_t count = 0;  // how often the exploration has met it
};

}  // namespace heddle
