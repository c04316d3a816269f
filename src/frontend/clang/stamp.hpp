// What the file system says of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::frontend {

struct Stamp {
  uint64_t size = 0, inode = 0, modified = 0, changed = 0;  // times in nanoseconds
  bool operator==(const Stamp&) const = default;
};
std::optional<Stamp> stamp_of(const std::string& path);

// The time by which the file system stamps files.
uint64_t file_time();

}  // namespace heddle::frontend
