// Headers that were looked for where there are none. One that appears there later changes what an #include means,
// although every file that clang has read is the same.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"

namespace heddle::frontend {

struct Absent {
  std::string folder;
  uint64_t modified = 0;           // when the folder was looked at; 0: there was none
  std::vector<std::string> names;  // that are not in it
};

// Whether there is still none of them.
bool is_absent(const Absent& absent);
void write_absent(ByteWriter& out, const std::vector<Absent>& all);
std::vector<Absent> read_absent(ByteReader& in);

// The folders in which clang looks for headers: what it says of them with -v. Those that are not there count.
std::vector<std::string> search_folders(std::string_view said);

// A header as a text names it, in an #include or a __has_include, whether or not the preprocessor comes there.
struct Named {
  std::string_view name;
  bool quoted = false;  // it is looked for beside the file, too
};
std::vector<Named> headers_named(std::string_view text);

// What one run of clang has looked for.
class Lookups {
 public:
  // Both as seen from here.
  void add_file(const std::string& path, std::string_view text);
  void add_beside(const std::string& folder, std::string_view name);
  // All of it that is absent.
  std::vector<Absent> absent(const std::vector<std::string>& search);

 private:
  std::set<std::string, std::less<>> names_;  // looked for in each folder of the search
  std::vector<std::string> files_;
  std::map<std::string, std::set<std::string>> in_folder_;
};

}  // namespace heddle::frontend
