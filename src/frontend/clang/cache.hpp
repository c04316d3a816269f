// Files that are kept from run to run, in $XDG_CACHE_HOME/heddle or ~/.cache/heddle.
//
// A file is written under another name and renamed, so that it appears whole: runs at the same time and runs that are
// killed do no harm. It begins with a checksum of the rest. Whatever goes wrong (no home, a full disk, a damaged file)
// is a miss and is not told. When the folder becomes too large, the files that were not used for the longest time go.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::frontend {

// 128 bits of hash as hexadecimal digits.
std::string digest(std::string_view text);

class Cache {
 public:
  static constexpr uint64_t kLimit = UINT64_C(1) << 30;

  Cache() = default;  // keeps nothing
  explicit Cache(std::filesystem::path folder, uint64_t limit = kLimit);
  static Cache of_user();

  bool on() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }

  std::optional<std::string> get(const std::string& name) const;
  void put(const std::string& name, std::string_view content) const;

  // For files that another program reads or writes, which have no checksum. new_path: one that no other process uses.
  // keep: its new name once it is written.
  void put_as_it_is(const std::string& name, std::string_view content) const;
  std::string new_path() const;
  bool keep(const std::string& path, const std::string& name) const;
  std::string path_of(const std::string& name) const { return (folder_ / name).string(); }
  // It was used just now.
  void touch(const std::string& name) const;

 private:
  void trim() const;

  std::filesystem::path folder_;
  uint64_t limit_ = kLimit;
};

// The whole file; none if it cannot be read.
std::optional<std::string> read_whole(const std::string& path);

}  // namespace heddle::frontend
