// What is kept from run to run.
#include "frontend/clang/cache.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

#include "frontend/clang/clang.hpp"
#include "frontend/clang/preamble.hpp"
#include "frontend/clang/remember.hpp"

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;
using frontend::Cache;

// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = "/tmp/heddle-cache-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  fs::path operator/(const char* name) const { return path_ / name; }

  // The file is old enough for its stamp to tell it from a later one.
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    usleep(20'000);
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

std::size_t files_in(const fs::path& folder, const std::string& ending) {
  std::size_t n = 0;
  for (const auto& entry : fs::directory_iterator(folder)) n += entry.path().string().ends_with(ending);
  return n;
}

void append(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::app) << text; }

TEST(Cache, GivesBackWhatWasPut) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a");
  EXPECT_FALSE(cache.get("x"));
  cache.put("x", "text");
  EXPECT_EQ(cache.get("x"), "text");
  EXPECT_EQ(Cache(folder / "a").get("x"), "text");
}

TEST(Cache, ADamagedFileIsAMiss) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a");
  cache.put("x", "text");
  append(folder / "a/x", "t");
  EXPECT_FALSE(cache.get("x"));
  std::ofstream(folder / "a/x") << "short";
  EXPECT_FALSE(cache.get("x"));
  cache.put("x", "text");
  EXPECT_EQ(cache.get("x"), "text");
}

TEST(Cache, WithoutAFolderItKeepsNothing) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  for (const Cache& cache : {Cache(), Cache(folder / "file"), Cache(folder / "file/below")}) {
    EXPECT_FALSE(cache.on());
    cache.put("x", "text");
    EXPECT_FALSE(cache.get("x"));
  }
}

TEST(Cache, TheOldestGoWhenThereIsTooMuch) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a", 1000);
  for (const char* name : {"1", "2", "3", "4"}) {
    cache.put(name, std::string(200, 'x'));
    usleep(10'000);
    EXPECT_TRUE(cache.get("1"));  // so it is never the oldest
  }
  cache.put("5", std::string(200, 'x'));
  EXPECT_TRUE(cache.get("1"));
  EXPECT_FALSE(cache.get("2"));
  EXPECT_TRUE(cache.get("5"));
}

TEST(Cache, WhatAKilledRunHasLeftGoesLater) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a");
  std::ofstream(folder / "a/new-1-2-3") << "half";
  std::ofstream(folder / "a/new-4-5-6") << "half";
  fs::last_write_time(folder / "a/new-1-2-3", fs::file_time_type::clock::now() - std::chrono::hours(2));
  cache.put("x", "text");
  EXPECT_FALSE(fs::exists(folder / "a/new-1-2-3"));
  EXPECT_TRUE(fs::exists(folder / "a/new-4-5-6"));  // somebody may be writing it
}

TEST(Cache, ManyAtOnce) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        cache.put("x", std::string(100'000, 'x'));
        const std::optional<std::string> text = cache.get("x");
        EXPECT_TRUE(text && text->size() == 100'000u);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(files_in(folder / "a", ""), 1u);
}

std::string compiled(const std::string& file, const Cache& cache, const std::vector<std::string>& args = {}) {
  return frontend::run_clang({{file, args}}, cache)[0];
}

// How many results of clang the cache has.
std::size_t results_in(const fs::path& folder) {
  return files_in(folder, "") - files_in(folder, ".pch") - files_in(folder, ".hpp") - files_in(folder, ".search");
}

std::set<ino_t> inodes_of(const fs::path& folder) {
  std::set<ino_t> inodes;
  for (const auto& entry : fs::directory_iterator(folder)) inodes.insert(frontend::stamp_of(entry.path())->inode);
  return inodes;
}

TEST(CachedClang, ARunThatIsRepeatedAddsNothing) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a");
  const std::string file = folder.write("t.c", "#include <stddef.h>\nint main(void) { return 0; }\n");
  const std::string code = compiled(file, {});
  EXPECT_EQ(compiled(file, cache), code);
  EXPECT_EQ(results_in(folder / "a"), 1u);
  const auto kept = inodes_of(folder / "a");
  EXPECT_EQ(compiled(file, cache), code);
  EXPECT_EQ(inodes_of(folder / "a"), kept);  // nothing was made again
  EXPECT_NE(compiled(file, cache, {"-DX=1", "-fno-builtin"}), code);
  EXPECT_EQ(results_in(folder / "a"), 2u);
}

TEST(CachedClang, AChangedHeaderIsNoticed) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a");
  folder.write("h.h", "#define VALUE 1\n");
  const std::string file = folder.write("t.c", "#include \"h.h\"\nint main(void) { return VALUE; }\n");
  const std::string one = compiled(file, cache);
  folder.write("h.h", "#define VALUE 2\n");
  const std::string two = compiled(file, cache);
  EXPECT_NE(one, two);
  EXPECT_EQ(two, compiled(file, {}));
  fs::last_write_time(folder / "h.h", fs::file_time_type::clock::now());  // the same text
  EXPECT_EQ(compiled(file, cache), two);
}

TEST(CachedClang, AHeaderThatAppearsIsNoticed) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a");
  for (const char* name : {"first", "second", "second/deep"}) fs::create_directory(folder / name);
  folder.write("second/h.h", "#define VALUE 1\n#include \"beside.h\"\n");
  folder.write("second/beside.h", "#define BESIDE 1\n");
  folder.write("second/deep/d.h", "#define DEEP 1\n");
  folder.write("second/macro.h", "#define MACRO 1\n");
  folder.write("second/forced.h", "#define FORCED 1\n");
  const std::string file =
      folder.write("t.c",
                   "#include <h.h>\n#include <deep/d.h>\n#define NAME <macro.h>\n#include NAME\n"
                   "#if __has_include(\"maybe.h\")\n#include \"maybe.h\"\n#else\n#define MAYBE 1\n#endif\n"
                   "int main(void) { return VALUE + BESIDE + DEEP + MACRO + MAYBE + FORCED; }\n");
  const std::vector<std::string> args = {"-include", "forced.h", "-I" + (folder / "missing").string(),
                                         "-I" + (folder / "first").string(), "-I" + (folder / "second").string()};
  std::string before = compiled(file, cache, args);
  const auto kept = inodes_of(folder / "a");
  folder.write("other.h", "");  // none that anybody looks for
  EXPECT_EQ(compiled(file, cache, args), before);
  EXPECT_EQ(inodes_of(folder / "a"), kept);
  for (const auto& [name, text] :
       std::vector<std::pair<const char*, const char*>>{{"first/h.h", "#define VALUE 2\n#include <beside.h>\n"},
                                                        {"first/beside.h", "#define BESIDE 2\n"},
                                                        {"first/deep/d.h", "#define DEEP 2\n"},
                                                        {"first/macro.h", "#define MACRO 2\n"},
                                                        {"maybe.h", "#define MAYBE 2\n"},
                                                        {"missing/deep/d.h", "#define DEEP 3\n"},
                                                        {"missing/forced.h", "#define FORCED 2\n"}}) {
    fs::create_directories((folder / name).parent_path());
    folder.write(name, text);
    const std::string after = compiled(file, cache, args);
    EXPECT_NE(after, before) << name;
    EXPECT_EQ(after, compiled(file, {}, args)) << name;
    before = after;
  }
}

TEST(CachedClang, AHeaderThatAppearsBeforeAPrecompiledOneIsNoticed) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a");
  for (const char* name : {"first", "second"}) fs::create_directory(folder / name);
  folder.write("second/h.h", "#define VALUE 1\n");
  const std::vector<std::string> args = {"-I" + (folder / "first").string(), "-I" + (folder / "second").string()};
  const auto write = [&](int n) {
    return folder.write("t.cpp", "#include <h.h>\nint main() { return VALUE + " + std::to_string(n) + "; }\n");
  };
  for (int n = 0; n < 3; ++n) compiled(write(n), cache, args);
  EXPECT_EQ(files_in(folder / "a", ".pch"), 1u);
  folder.write("first/h.h", "#define VALUE 2\n");
  const std::string file = write(3);
  EXPECT_EQ(compiled(file, cache, args), compiled(file, {}, args));
}

TEST(Absent, HeadersNamed) {
  const auto names = [](std::string_view text) {
    std::string all;
    for (const frontend::Named& n : frontend::headers_named(text)) all += std::string(n.name) + (n.quoted ? "\"" : ">");
    return all;
  };
  EXPECT_EQ(names("#include <a>\n # include_next\t<b/c.h>\n#include \"d\"\n#include \"e"), "a>b/c.h>d\"");
  EXPECT_EQ(names("#if __has_include(<a>) || __has_include_next ( \"b\" )\n#include NAME\n#include <>\n#include"),
            "a>b\"");
}

TEST(CachedClang, WarningsAreShownAgain) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a");
  const std::string file = folder.write("t.c", "int main(void) { int unused; return 0; }\n");
  for (int i = 0; i < 2; ++i) {
    ::testing::internal::CaptureStderr();
    compiled(file, cache, {"-Wall"});
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("unused variable 'unused'"), std::string::npos);
  }
}

TEST(CachedClang, HeadersArePrecompiledWhenTheyComeAgain) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a");
  const std::string head = "// A test.\n#include <cstddef>\n#include <new>  // placement\n\n";
  const std::string file = folder.write("t.cpp", head + "int main() { return 0; }\n");
  compiled(file, cache);
  EXPECT_EQ(files_in(folder / "a", ".pch"), 0u);
  folder.write("t.cpp", head + "int main() { return 1; }\n");
  compiled(file, cache);
  EXPECT_EQ(files_in(folder / "a", ".pch"), 1u);
  folder.write("t.cpp", head + "int main() {\n  return __LINE__ + (new (std::nothrow) int == nullptr); }\n");
  const std::string code = compiled(file, cache);
  EXPECT_FALSE(code.empty());
  EXPECT_EQ(files_in(folder / "a", ".pch"), 1u);
  // A damaged one is not used.
  for (const auto& entry : fs::directory_iterator(folder / "a")) {
    if (entry.path().string().ends_with(".pch")) append(entry.path(), "x");
  }
  folder.write("t.cpp", head + "int main() { return 2; }\n");
  EXPECT_FALSE(compiled(file, cache).empty());
}

TEST(CachedClang, ErrorsTellOfTheUsersFileOnly) {
  const TemporaryFolder folder;
  const Cache cache(folder / "a");
  const std::string head = "#include <cstddef>\n";
  const std::string file = folder.write("t.cpp", head + "int main() { return 0; }\n");
  compiled(file, cache);
  folder.write("t.cpp", head + "int main() { return 1; }\n");
  compiled(file, cache);
  folder.write("t.cpp", head + "\nint main() { return x; }\n");
  ::testing::internal::CaptureStderr();
  EXPECT_THROW(compiled(file, cache), std::runtime_error);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("t.cpp:3:21: error"), std::string::npos) << said;
  EXPECT_EQ(said.find("/a/"), std::string::npos) << said;
}

TEST(Preamble, IsTheIncludesAtTheBeginning) {
  const auto check = [](const std::string& before, const std::string& after, const std::string& includes) {
    const frontend::Preamble p = frontend::preamble_of(before + after);
    EXPECT_EQ(p.includes, includes) << before << after;
    EXPECT_EQ(p.size, before.size()) << before << after;
  };
  check("#include <a>\n", "int x;\n", "#include <a>\n");
  check("// c\n\n/* d\n e */ # include  <a>\r\n\t#include <b/c.h> // f\n", "\n// g\nint x;",
        "#include <a>\n#include <b/c.h>\n");
  check("#include <a>\n", "#include \"b\"\n#include <c>\n", "#include <a>\n");
  check("#include <a>\n", "#define X\n#include <c>\n", "#include <a>\n");
  check("#include <a>\n", "#include <b> int x;\n", "#include <a>\n");
  check("#include <a>\n", "#include <b>", "#include <a>\n");
  check("", "#define X\n#include <a>\n", "");
  check("", "#include MACRO\n", "");
  check("", "#include <a\\\n>\n", "");
  check("", "// continued \\\n#include <a>\n", "");
  check("", "/* open\n#include <a>\n", "");
  check("", "#ifdef X\n#include <a>\n#endif\n", "");
  check("", "", "");
}

}  // namespace
}  // namespace heddle::testing
