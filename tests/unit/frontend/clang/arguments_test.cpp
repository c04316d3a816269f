// Which arguments clang may see.
#include "frontend/clang/arguments.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace heddle::frontend {
namespace {

using Words = std::vector<std::string>;

// What is said to the arguments; nothing if they are fine.
std::string said_to(const Words& arguments) {
  try {
    check_clang_arguments(arguments);
    return "";
  } catch (const UserError& e) {
    return e.what();
  }
}

TEST(ClangArguments, WhatTellsHowToReadTheProgramIsFine) {
  EXPECT_EQ(said_to({"-std=c11", "-DN=3", "-D", "M", "-Iinclude", "-isystem", "sys", "-O3", "-Wall", "-pthread", "-lm",
                     "-fno-sanitize=all", "-mavx2"}),
            "");
}

TEST(ClangArguments, WhatMakesSomethingElseIsRefusedWithARemedy) {
  const std::pair<const char*, const char*> rows[] = {
      {"-c", "heddle compiles the program and runs it"},  {"-ofile", "heddle writes no file"},
      {"-MD", "heddle writes no dependencies"},           {"-m32", "the program runs on this machine"},
      {"-fsanitize=thread", "heddle has its own checks"}, {"--coverage", "in its own way"},
      {"-xc++", "the ending of a file's name"},           {"-fplugin=x", "heddle runs its own passes"},
      {"-stdlib=libc++", "heddle knows libstdc++ only"},  {"@args", "write them out"}};
  for (const auto& [argument, why] : rows) {
    const std::string said = said_to({"-DN", argument});
    EXPECT_TRUE(said.starts_with(std::string(argument) + " after --: ")) << argument << ": " << said;
    EXPECT_NE(said.find(why), said.npos) << argument << ": " << said;
  }
}

TEST(ClangArguments, TheNextWordIsTheValue) {
  EXPECT_EQ(said_to({"-include", "-c"}), "");
  EXPECT_EQ(said_to({"-D"}), "-D after --: it needs a value");
  EXPECT_NE(said_to({"-Xclang", "-emit-llvm"}), "");
  EXPECT_EQ(said_to({"-Xclang", "-disable-O0-optnone"}), "");
}

TEST(ClangArguments, Files) {
  EXPECT_NE(said_to({"a.o"}).find("is compiled already"), std::string::npos);
  EXPECT_NE(said_to({"a.c"}).find("give source files before --"), std::string::npos);
  EXPECT_NE(said_to({"-"}), "");
}

TEST(ClangArguments, OfABuildsCommandOnlyWhatTellsHowTheFileIsRead) {
  EXPECT_EQ(arguments_of_build({"ccache", "/usr/bin/c++", "-DONE", "-Iinc", "-isystem", "sys", "-O2", "-Werror",
                                "-std=gnu++20", "-fsanitize=thread", "-MD", "-MT", "x", "-MF", "y", "-o", "a.o", "-c",
                                "a.cpp"}),
            (Words{"-DONE", "-Iinc", "-isystem", "sys", "-O2", "-std=gnu++20", "-Wno-unknown-warning-option"}));
  EXPECT_THROW(arguments_of_build({"cc", "-m32", "-c", "a.c"}), UserError);
}

}  // namespace
}  // namespace heddle::frontend
