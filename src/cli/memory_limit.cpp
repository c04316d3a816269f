#include "cli/memory_limit.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace heddle::cli {
namespace {

// "max", or no such file: no limit.
uint64_t limit_in(const std::string& file) {
  std::ifstream in(file);
  uint64_t limit = 0;
  return in >> limit ? limit : UINT64_MAX;
}

// The limits of `path` and of all folders above it.
uint64_t least_limit(const std::string& mount, std::string path, const char* file) {
  uint64_t least = UINT64_MAX;
  for (;;) {
    least = std::min(least, limit_in(mount + path + "/" + file));
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos || path.size() <= 1) break;
    path.resize(slash);
  }
  return std::min(least, limit_in(mount + "/" + file));
}

}  // namespace

// Lines such as "0::/user.slice" (version 2) and "4:memory:/docker" (version 1).
uint64_t group_limit(const std::string& groups, const std::string& root) {
  uint64_t least = UINT64_MAX;
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") least = std::min(least, least_limit(root, path, "memory.max"));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, least_limit(root + "/memory", path, "memory.limit_in_bytes"));
  }
  return least;
}

uint64_t available_memory(std::istream& meminfo) {
  uint64_t kilobytes = 0;
  for (std::string word; meminfo >> word;) {
    if (word == "MemAvailable:" && meminfo >> kilobytes) return kilobytes * 1024;
  }
  return UINT64_MAX;
}

uint64_t default_memory_limit() {
  const auto machine = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  std::ifstream in("/proc/self/cgroup");
  const std::string groups(std::istreambuf_iterator<char>(in), {});
  const uint64_t most = std::min(machine, group_limit(groups, "/sys/fs/cgroup")) / 4 * 3;
  std::ifstream meminfo("/proc/meminfo");
  return std::min(most, available_memory(meminfo) / 10 * 9);
}

}  // namespace heddle::cli
