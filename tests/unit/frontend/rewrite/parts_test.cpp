// Parts of the library that are linked with a program where it needs them.
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/clang/clang.hpp"
#include "frontend/load/load.hpp"
#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

// A part from source. Its file has the name that the real ones have.
class Part {
 public:
  explicit Part(std::string_view text) : file_(text) {
    const std::string path = file_.path();
    const std::string map = "-fdebug-prefix-map=" + path.substr(0, path.rfind('/')) + "=<heddle library>";
    bitcode_ = frontend::run_clang({{path, {map}}}, {})[0];
  }
  operator LibraryPart() const { return {"part.c", bitcode_}; }

 private:
  SourceFile file_;
  std::string bitcode_;
};

Image load_with(std::string_view text, const std::vector<LibraryPart>& parts) {
  const SourceFile file(text);
  return load(compile({.files = {file.path()}, .library = parts}), find_symbol);
}
int run_with(std::string_view text, const std::vector<LibraryPart>& parts) { return run(load_with(text, parts)); }

bool has_function(const Image& image, std::string_view name) {
  return std::ranges::find(image.functions, name, &Image::Function::name) != image.functions.end();
}

TEST(Parts, DefineWhatIsUndefined) {
  const Part part("static int twice(int x) { return 2 * x; }\nint heddle_test_f(int x) { return twice(x) + 1; }\n");
  EXPECT_EQ(run_with("int heddle_test_f(int);\nint main(void) { return heddle_test_f(3); }", {part}), 7);
}

TEST(Parts, AProgramsOwnDefinitionWins) {
  const Part part(
      "int heddle_test_f(int x) { return x + 1; }\nint heddle_test_g(int x) { return heddle_test_f(x); }\n");
  EXPECT_EQ(run_with("int heddle_test_g(int);\nint heddle_test_f(int x) { return x + 10; }\n"
                     "int main(void) { return heddle_test_g(3); }",
                     {part}),
            13);
}

TEST(Parts, OnlyWhatIsNeededIsLinked) {
  const Part part(
      "volatile int heddle_test_state = 5;\n"
      "__attribute__((noinline)) int heddle_test_f(void) { return heddle_test_state; }\n"
      "int heddle_test_unused(void) { return heddle_test_state + heddle_test_f(); }\n");
  const Image image = load_with("int heddle_test_f(void);\nint main(void) { return heddle_test_f(); }", {part});
  EXPECT_EQ(run(image), 5);
  EXPECT_FALSE(has_function(image, "heddle_test_unused"));
  const Image none = load_with("int main(void) { return 0; }", {part});
  EXPECT_TRUE(std::ranges::none_of(none.globals, [](const Image::Global& g) { return g.name == "heddle_test_state"; }));
}

// Each part needs the other, one of them twice; they share one variable.
TEST(Parts, NeedEachOther) {
  const Part a(
      "int heddle_test_b(int);\nint heddle_test_count;\n"
      "int heddle_test_a(int x) { return x == 0 ? heddle_test_count : heddle_test_b(x); }\n"
      "int heddle_test_c(int x) { ++heddle_test_count; return heddle_test_a(x - 1); }\n");
  const Part b("int heddle_test_c(int);\nint heddle_test_b(int x) { return heddle_test_c(x); }\n");
  EXPECT_EQ(run_with("int heddle_test_a(int);\nint main(void) { return heddle_test_a(4); }", {a, b}), 4);
  EXPECT_EQ(run_with("int heddle_test_a(int);\nint main(void) { return heddle_test_a(4); }", {b, a}), 4);
}

// What only a weak symbol asks for is not linked, and null; with the part that is needed for something else it is.
TEST(Parts, WeakSymbols) {
  const Part part("int heddle_test_maybe = 3;\nint heddle_test_f(void) { return 1; }\n");
  EXPECT_EQ(run_with("extern int heddle_test_maybe __attribute__((weak));\n"
                     "int main(void) { return &heddle_test_maybe ? heddle_test_maybe : 0; }",
                     {part}),
            0);
  EXPECT_EQ(run_with("extern int heddle_test_maybe __attribute__((weak));\nint heddle_test_f(void);\n"
                     "int main(void) { return (&heddle_test_maybe ? heddle_test_maybe : 0) + heddle_test_f(); }",
                     {part}),
            4);
}

// A function that is too large to be inlined still does everything at the user's line.
TEST(Parts, AreToldAtTheUsersCall) {
  const Part part(
      "int heddle_test_array[8];\n"
      "static int walk(int n) { return n == 0 ? 0 : heddle_test_array[n] + walk(n - 1); }\n"
      "int heddle_test_walk(int n) { return walk(n); }\n");
  const Image image = load_with(
      "int heddle_test_walk(int);\n"
      "int main(void) {\n"
      "  return heddle_test_walk(3);\n"
      "}\n",
      {part});
  EXPECT_EQ(run(image), 0);
  std::size_t reads = 0;
  for (const Call& call : calls()) {
    if (call.name != "plain_load") continue;
    ++reads;
    EXPECT_EQ(image.sites[user_frame(image.sites, SiteId(call.site))].line, 3u);
  }
  EXPECT_EQ(reads, 3u);
}

}  // namespace
}  // namespace heddle::testing
