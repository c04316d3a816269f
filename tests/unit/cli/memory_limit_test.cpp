#include "cli/memory_limit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

class GroupLimit : public testing::Test {
 protected:
  GroupLimit() : root_(fs::path(testing::TempDir()) / ("groups-" + std::to_string(getpid()))) {}
  ~GroupLimit() override { fs::remove_all(root_); }

  void put(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << "\n";
  }
  uint64_t limit(const std::string& groups) const { return group_limit(groups, root_.string()); }

 private:
  const fs::path root_;
};

TEST_F(GroupLimit, None) {
  EXPECT_EQ(limit(""), UINT64_MAX);
  EXPECT_EQ(limit("nonsense\n0::/there/is/none\n"), UINT64_MAX);
  put("a/memory.max", "max");
  EXPECT_EQ(limit("0::/a\n"), UINT64_MAX);
}

TEST_F(GroupLimit, TheLeastOnTheWayUp) {
  put("a/b/memory.max", "max");
  put("a/memory.max", "3000");
  EXPECT_EQ(limit("0::/a/b\n"), 3000u);
  put("a/b/memory.max", "2000");
  EXPECT_EQ(limit("0::/a/b\n"), 2000u);
  EXPECT_EQ(limit("0::/a\n"), 3000u);
  EXPECT_EQ(limit("0::/\n"), UINT64_MAX);
}

// Inside a container the root is the group itself.
TEST_F(GroupLimit, OfTheRoot) {
  put("memory.max", "5000");
  EXPECT_EQ(limit("0::/\n"), 5000u);
  EXPECT_EQ(limit("0::/elsewhere\n"), 5000u);
}

TEST_F(GroupLimit, VersionOne) {
  put("memory/a/memory.limit_in_bytes", "4000");
  EXPECT_EQ(limit("5:cpu,cpuacct:/a\n4:memory:/a\n"), 4000u);
  EXPECT_EQ(limit("4:hugetlb,memory:/a\n0::/\n"), 4000u);
  EXPECT_EQ(limit("5:cpu:/a\n"), UINT64_MAX);
}

TEST(MemoryLimit, IsLessThanTheMachineHas) {
  const auto machine = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  EXPECT_GT(default_memory_limit(), 0u);
  EXPECT_LE(default_memory_limit(), machine / 4 * 3);
}

TEST(AvailableMemory, IsReadFromMeminfo) {
  std::istringstream linux_says("MemTotal:  24000 kB\nMemFree:  100 kB\nMemAvailable:  2000 kB\nBuffers: 1 kB\n");
  EXPECT_EQ(available_memory(linux_says), 2000u * 1024);
  std::istringstream nothing("MemTotal:  24000 kB\n");
  EXPECT_EQ(available_memory(nothing), UINT64_MAX);
}

}  // namespace
}  // namespace heddle::cli
