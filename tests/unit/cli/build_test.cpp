#include "cli/build.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

TEST(Build, WordsAreSplitAsByAShell) {
  EXPECT_EQ(shell_words("cc  -DA -c a.c "), (Words{"cc", "-DA", "-c", "a.c"}));
  EXPECT_EQ(shell_words(R"(cc -DA=\"x\ y\" '-DB="z w"' "-I/a \"b" '')"),
            (Words{"cc", "-DA=\"x y\"", "-DB=\"z w\"", "-I/a \"b", ""}));
  EXPECT_THROW(shell_words("cc 'x"), UserError);
}

// A build with two targets that share a file.
class BuildTest : public ::testing::Test {
 protected:
  BuildTest() {
    std::string name = "/tmp/heddle-build-XXXXXX";
    folder_ = fs::canonical(mkdtemp(name.data()));
    fs::create_directories(folder_ / "src/sub");
    fs::create_directories(folder_ / "build");
    for (const char* file : {"a.cpp", "b.c", "sub/c.cpp", "other.cpp"}) std::ofstream(folder_ / "src" / file) << "\n";
    write(R"([
      {"directory": "@/build", "file": "../src/a.cpp", "output": "CMakeFiles/one.dir/a.cpp.o",
       "command": "/usr/bin/c++ -DONE=\\\"x\\\" -Iinc -isystem sys -O2 -g -Werror -std=gnu++20 -fsanitize=thread -MD -MT x -MF y -o CMakeFiles/one.dir/a.cpp.o -c ../src/a.cpp"},
      {"directory": "@/build", "file": "@/src/b.c", "arguments": ["cc", "-DB", "-o", "CMakeFiles/one.dir/b.c.o", "-c", "@/src/b.c"]},
      {"directory": "@/build", "file": "@/src/sub/c.cpp", "command": "ccache c++ -DC -o CMakeFiles/two.dir/c.o -c c.cpp"},
      {"directory": "@/build", "file": "@/src/a.cpp", "command": "c++ -DTWO -o CMakeFiles/two.dir/a.o -c a.cpp"}])");
  }
  ~BuildTest() override { fs::remove_all(folder_); }

  void write(std::string list) {
    for (std::size_t at; (at = list.find('@')) != list.npos;) list.replace(at, 1, folder_.string());
    std::ofstream(folder_ / "build/compile_commands.json") << list;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Sources of(const std::string& name, const Words& clang_args = {}) const {
    return sources_of(path("build"), {name}, clang_args);
  }
  std::string refusal(const std::string& name) const {
    try {
      of(name);
    } catch (const UserError& e) {
      return e.what();
    }
    return "accepted";
  }

  fs::path folder_;
};

TEST_F(BuildTest, AFileHasItsCommand) {
  const Sources s = of(path("src/a.cpp"));
  EXPECT_EQ(s.files, Words{path("src/a.cpp")});
  ASSERT_EQ(s.commands.size(), 1u);
  EXPECT_EQ(s.commands[0].folder, path("build"));
  EXPECT_EQ(s.commands[0].words[1], "-DONE=\"x\"");
}

// One file that is compiled with NDEBUG is enough for all to be compiled without it.
TEST_F(BuildTest, AssertionsStayUnlessTheUserLeavesThemOut) {
  const auto with = [&](const std::string& word) {
    write(R"([{"directory": "@/build", "file": "@/src/a.cpp", "command": "c++ -o CMakeFiles/one.dir/a.o -c a.cpp"},
      {"directory": "@/build", "file": "@/src/b.c", "command": "cc )" +
          word + R"( -o CMakeFiles/one.dir/b.o -c b.c"}])");
  };
  for (const char* word : {"-DNDEBUG", "-DNDEBUG=1", "-D NDEBUG", "-UNDEBUG -DNDEBUG"}) {
    with(word);
    const Sources s = of("one", {"-O1"});
    EXPECT_EQ(s.clang_args, (Words{"-O1", "-UNDEBUG"})) << word;
    ASSERT_EQ(s.warnings.size(), 1u);
    EXPECT_NE(s.warnings[0].find("compiled without it"), std::string::npos);
  }
  for (const char* word : {"", "-UNDEBUG", "-DNDEBUG -U NDEBUG", "-DNDEBUGS"}) {
    with(word);
    EXPECT_EQ(of("one").clang_args, Words{}) << word;
    EXPECT_TRUE(of("one").warnings.empty());
  }
  with("-DNDEBUG");
  EXPECT_EQ(of("one", {"-DNDEBUG"}).clang_args, Words{"-DNDEBUG"});
  EXPECT_EQ(of("one", {"-DNDEBUG"}).warnings, Words{"NDEBUG is defined: assert() checks nothing"});
  EXPECT_TRUE(of("one", {"-UNDEBUG"}).warnings.empty());
  EXPECT_EQ(sources_of("", {"a.c"}, {"-D", "NDEBUG"}).warnings.size(), 1u);
}

TEST_F(BuildTest, AFolderStandsForItsFiles) {
  EXPECT_EQ(of(path("src")).files, (Words{path("src/a.cpp"), path("src/b.c"), path("src/sub/c.cpp")}));
  EXPECT_EQ(of(path("src/sub")).files, Words{path("src/sub/c.cpp")});
}

TEST_F(BuildTest, ATargetStandsForItsFiles) {
  EXPECT_EQ(of("one").files, (Words{path("src/a.cpp"), path("src/b.c")}));
  const Sources two = of("two");
  EXPECT_EQ(two.files, (Words{path("src/sub/c.cpp"), path("src/a.cpp")}));
  EXPECT_EQ(two.commands[1].words[1], "-DTWO");
}

TEST_F(BuildTest, WithoutABuildNamesAreFiles) {
  const Sources s = sources_of("", {"x.c", "y.c"}, {});
  EXPECT_EQ(s.files, (Words{"x.c", "y.c"}));
  EXPECT_TRUE(s.commands.empty());
}

TEST_F(BuildTest, WhatIsWrongIsSaid) {
  const auto contains = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
  EXPECT_TRUE(contains(refusal(path("src/other.cpp")), "does not compile it")) << refusal(path("src/other.cpp"));
  EXPECT_TRUE(contains(refusal("three"), "three: no such file or folder, and no target in")) << refusal("three");
  EXPECT_TRUE(contains(refusal(path("build")), "compiles no C or C++ file in")) << refusal(path("build"));
  write("{");
  EXPECT_TRUE(contains(refusal("one"), "not a list of compile commands")) << refusal("one");
  write("[{\"file\": 1}]");
  EXPECT_TRUE(contains(refusal("one"), "not a list of compile commands")) << refusal("one");
  fs::remove(folder_ / "build/compile_commands.json");
  EXPECT_TRUE(contains(refusal("one"), "cannot be read; -p wants the folder of a build")) << refusal("one");
}

}  // namespace
}  // namespace heddle::cli
