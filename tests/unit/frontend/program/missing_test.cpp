// What a program is told that uses something that is not there.
#include "frontend/program/missing.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace heddle::frontend {
namespace {

std::string told(const Missing& missing) {
  try {
    missing.refuse();
    return "";
  } catch (const UserError& e) {
    return e.what();
  }
}

TEST(Missing, NothingIsFine) { EXPECT_EQ(told(Missing(SiteTable{})), ""); }

TEST(Missing, OneThingWithItsPlaceAndARemedy) {
  SiteTable sites;
  Missing missing(sites);
  missing.add({.name = "foo", .site = sites.add({.file = "a.c", .line = 7})}, "");
  EXPECT_EQ(told(missing),
            "a.c:7: call of undefined function 'foo': define it in one of the files, or pass the sources of its "
            "library");
}

TEST(Missing, AVariableWithoutAPlace) {
  const SiteTable sites;
  Missing missing(sites);
  missing.add({.name = "bar", .function = false}, "");
  EXPECT_TRUE(told(missing).starts_with("use of undefined variable 'bar': ")) << told(missing);
}

TEST(Missing, TheUsersFrameOfInlinedCode) {
  SiteTable sites;
  const SiteId user = sites.add({.file = "a.cpp", .line = 3});
  const SiteId header = sites.add({.file = "/usr/include/c++/12/thread", .line = 100, .caller = user});
  Missing missing(sites);
  missing.add({.name = "foo", .site = header}, "");
  EXPECT_TRUE(told(missing).starts_with("a.cpp:3: ")) << told(missing);
}

TEST(Missing, SeveralThingsInOneMessage) {
  const SiteTable sites;
  Missing missing(sites);
  missing.add({.name = "fork"}, "there is one process; use threads");
  missing.add({.name = "_ZN3fmt3v106vprintEv"}, "");
  missing.add({.name = "_ZN3abcIiE1fEv"}, "");
  const std::string all = told(missing);
  EXPECT_TRUE(all.starts_with("3 things that the program uses are missing:\n  ")) << all;
  EXPECT_NE(all.find("\n  'fork' is not supported: there is one process; use threads\n"), all.npos) << all;
  EXPECT_NE(all.find("'fmt::v10::vprint()': libfmt is precompiled"), all.npos) << all;
}

// The name of a template begins with the type that it returns.
TEST(Missing, TheLibraryOfATemplate) {
  const SiteTable sites;
  Missing missing(sites);
  missing.add({.name = "_ZN5boost3getIiEEiv"}, "");
  const std::string all = told(missing);
  EXPECT_NE(all.find("'int boost::get<int>()': this part of Boost is precompiled"), all.npos) << all;
}

TEST(Missing, FilesThatAreCompiledAlready) {
  for (const char* file : {"a.o", "libx.a", "/usr/lib/libx.so", "libx.so.1.2"}) EXPECT_TRUE(is_compiled(file)) << file;
  for (const char* file : {"a.c", "so", "x.so.d/a.c", "a.out", ""}) EXPECT_FALSE(is_compiled(file)) << file;
}

}  // namespace
}  // namespace heddle::frontend
