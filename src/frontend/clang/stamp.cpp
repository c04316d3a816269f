#include "frontend/clang/stamp.hpp"

#include <sys/stat.h>

#include <ctime>

namespace heddle::frontend {
namespace {

uint64_t nanoseconds(const timespec& t) {
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

}  // namespace

std::optional<Stamp> stamp_of(const std::string& path) {
  struct stat s{};
  if (stat(path.c_str(), &s) != 0) return std::nullopt;
  return Stamp{.size = static_cast<uint64_t>(s.st_size),
               .inode = s.st_ino,
               .modified = nanoseconds(s.st_mtim),
               .changed = nanoseconds(s.st_ctim)};
}

// The clock of the file system goes in steps: a file that changes later is stamped with this or more, never with less.
uint64_t file_time() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return nanoseconds(now);
}

}  // namespace heddle::frontend
