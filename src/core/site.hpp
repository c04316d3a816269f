// Places in the program's source. An event carries a SiteId; the table tells the rest.
#pragma once

#include <string>
#include <vector>

#include "core/ids.hpp"

namespace heddle {

struct Site {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string function;
  SiteId caller = kNoSite;  // the call that was inlined here, outwards
};

// Entry 0 is "unknown".
class SiteTable {
 public:
  SiteTable() : sites_(1) {}

  SiteId add(Site site) {
    sites_.push_back(std::move(site));
    return SiteId(sites_.size() - 1);
  }
  const Site& operator[](SiteId id) const { return sites_[index(id)]; }
  std::size_t size() const { return sites_.size(); }

 private:
  std::vector<Site> sites_;
};

}  // namespace heddle
