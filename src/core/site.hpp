// Places in the program's source. An event carries a SiteId; the table tells the rest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/assert.hpp"
#include "core/ids.hpp"

namespace heddle {

struct Site {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string function;
  SiteId caller = kNoSite;   // the call that was inlined here, outwards
  bool is_volatile = false;  // a plain access of something volatile
};

// Entry 0 is "unknown".
class SiteTable {
 public:
  SiteTable() : sites_(1) {}

  SiteId add(Site site) {
    HEDDLE_ASSERT(index(site.caller) < sites_.size());  // so that no chain of callers has a cycle
    sites_.push_back(std::move(site));
    return SiteId(sites_.size() - 1);
  }
  const Site& operator[](SiteId id) const {
    HEDDLE_ASSERT(index(id) < sites_.size());
    return sites_[index(id)];
  }
  void set_volatile(SiteId id) {
    HEDDLE_ASSERT(index(id) < sites_.size());
    sites_[index(id)].is_volatile = true;
  }
  std::size_t size() const { return sites_.size(); }

 private:
  std::vector<Site> sites_;
};

// The files of the library that is compiled with the program (src/library/compiled) have names that begin like this.
inline constexpr std::string_view kLibraryFolder = "<heddle library>/";

// A system header, or a part of the library that is compiled with the program: not a file of the user's.
inline bool is_library_file(std::string_view file) {
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") || file.starts_with(kLibraryFolder);
}

// Of the headers of C++, of bits/ of C, or of heddle's own: what happens there is never of interest by itself.
inline bool is_standard_file(std::string_view file) {
  const auto within = [&](std::string_view folder) { return file.find(folder) != std::string_view::npos; };
  return is_library_file(file) && (!file.starts_with("/usr/include/") || within("/c++/") || within("/bits/"));
}

// The innermost frame in a file of the user's; the site itself if there is none.
inline SiteId user_frame(const SiteTable& sites, SiteId id) {
  for (SiteId s = id; s != kNoSite; s = sites[s].caller) {
    if (!sites[s].file.empty() && !is_library_file(sites[s].file)) return s;
  }
  return id;
}

}  // namespace heddle
