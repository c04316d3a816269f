// Places in the program as a person wants to see them: in the user's own files, with the line itself.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/site.hpp"

namespace heddle {

// The site itself, or the call in the user's own file that led into a system header (std::atomic and friends are
// inlined functions of <atomic>). Null when nothing is known.
const Site* user_site(const SiteTable& sites, SiteId id);

// The calls that led to a place, as far as they are known: from the outermost in a file of the user's down to the place
// itself, or to what called the standard library there.
std::vector<const Site*> frames(const SiteTable& sites, SiteId id);

// The same, with the last frame only of those in a row that are in one file.
struct Frame {
  const Site* site;
  std::string calls;  // the function that is called there; of the last frame the one that it is in, if that is another
};
std::vector<Frame> files_entered(const SiteTable& sites, SiteId id);

// "spsc_test.cpp:41 push -> ring.hpp:88 in publish". Empty if all is in one file.
std::string shown_calls(const SiteTable& sites, SiteId id, std::string_view arrow);

// Without its folder.
std::string base_name(const std::string& file);

// Relative to the current folder when inside it.
std::string shown_path(const std::string& file);

// "mp.c:12:3", or "an unknown place".
std::string shown_place(const Site* site);

// What is wrong, with the remedy if its places suggest one.
std::string message_of(const Error& error, const SiteTable& sites);

// Why a verdict is incomplete, in one sentence with the remedy.
std::string shown_limit(const LimitHit& hit, const Result& result, const SiteTable& sites);
// Why it is followed.
std::string shown_followed(const FollowedLoop& f, const SiteTable& sites);

// Lines of source files, read once.
class Sources {
 public:
  // Empty when the file or the line does not exist.
  std::string line(const std::string& file, unsigned number);
  // Empty when there is no such file.
  const std::vector<std::string>& lines(const std::string& file);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle
