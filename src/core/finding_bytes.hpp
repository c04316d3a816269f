// Findings as bytes, for a process that outlives the one that has found them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace heddle {

// With the sites that it names.
std::string finding_bytes(const Finding& finding, const SiteTable& sites);

// The findings of one run, and the sites that they name, which have other numbers now.
struct ReadFindings {
  std::vector<Finding> findings;
  SiteTable sites;

  // Throws std::runtime_error if these are not the bytes of a finding.
  void add(std::string_view bytes);

 private:
  std::map<SiteId, SiteId> known_;  // by what they were
};

}  // namespace heddle
