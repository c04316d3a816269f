// What the JIT tells the machine about a program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "frontend/load/load.hpp"
#include "image/region.hpp"
#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

const Image::Global* find(const std::vector<Image::Global>& globals, std::string_view name) {
  const auto i = std::find_if(globals.begin(), globals.end(), [&](const auto& g) { return g.name == name; });
  return i == globals.end() ? nullptr : &*i;
}

// "name" of the piece at an offset, as the machine derives it.
std::string path(std::string name, const Image::Type* type, std::size_t offset) {
  while (type) {
    if (type->element) {
      name += "[" + std::to_string(offset / type->element->size) + "]";
      offset %= type->element->size;
      type = type->element;
      continue;
    }
    const Image::Type* next = nullptr;
    for (const auto& m : type->members) {
      if (offset < m.offset || offset >= m.offset + m.type->size) continue;
      name += "." + m.name;
      offset -= m.offset;
      next = m.type;
      break;
    }
    type = next;
  }
  return name;
}

TEST(Image, GlobalsAndTypes) {
  const Image image = load_text(R"(
    #include <stdatomic.h>
    struct node { struct node* next; int v[2][3]; union { int i; float f; }; unsigned b1 : 3, b2 : 4; };
    typedef struct { struct node* _Atomic head; atomic_int size; } queue_t;
    static queue_t queue; struct node a[4]; static const int table[2] = {1, 2}; int n = 1;
    int main(void) { static int calls; calls++; queue.size++; a[n].v[1][2] = table[n]; queue.head = a; return a[3].i; })");
  ASSERT_TRUE(find(image.globals, "queue"));
  const Image::Global& queue = *find(image.globals, "queue");
  EXPECT_EQ(queue.size, 16u);
  EXPECT_EQ(path("queue", queue.type, 8), "queue.size");
  EXPECT_EQ(queue.type->name, "queue_t");
  EXPECT_EQ(queue.type->members[1].type->name, "atomic_int");
  EXPECT_EQ(queue.type->members[1].type->value.kind, ValueType::Kind::integer);
  EXPECT_EQ(queue.type->members[0].type->value.kind, ValueType::Kind::unknown);
  const Image::Global& a = *find(image.globals, "a");
  EXPECT_EQ(a.size, 4 * 40u);
  EXPECT_EQ(path("a", a.type, 40), "a[1].next");
  EXPECT_EQ(path("a", a.type, 3 * 40 + 8 + 16), "a[3].v[1][1]");
  EXPECT_EQ(path("a", a.type, 32), "a[0].i");
  EXPECT_EQ(path("a", a.type, 36), "a[0].{b1, b2}");
  EXPECT_EQ(a.type->element->name, "struct node");
  EXPECT_TRUE(find(image.globals, "calls"));
  EXPECT_FALSE(find(image.globals, "n")->constant);
}

TEST(Image, CxxNames) {
  const Image image = load_text(R"(
    #include <atomic>
    struct base { std::atomic<int> x; }; struct derived : base { int y; static int z; };
    namespace ns { derived d; void work() { d.x++; d.y = 1; } } int derived::z = 3;
    void (*f)() = ns::work; int main() { f(); return derived::z - 3; })",
                                ".cpp");
  const Image::Global* d = find(image.globals, "ns::d");
  ASSERT_TRUE(d);
  EXPECT_EQ(path("d", d->type, 0), "d.x");
  EXPECT_EQ(path("d", d->type, 4), "d.y");
  EXPECT_TRUE(
      std::any_of(image.functions.begin(), image.functions.end(), [](const auto& f) { return f.name == "ns::work"; }));
}

TEST(Image, TypesOfValues) {
  const Image image = load_text(R"(
    #include <atomic>
    enum class Color : unsigned char { red, green = 200 };
    std::atomic<unsigned> u; std::atomic<bool> b; std::atomic<double> d; std::atomic<Color> c; volatile char ch;
    std::atomic_flag flag; unsigned char byte; std::atomic<int*> p;
    int main() { u = 1; b = true; d = 1; c = Color::red; ch = 'a'; byte = 1; p = nullptr; return flag.test_and_set(); })",
                                ".cpp");
  using Kind = ValueType::Kind;
  const auto kind = [&](const char* name) { return find(image.globals, name)->type->value.kind; };
  EXPECT_EQ(kind("u"), Kind::integer);
  EXPECT_EQ(kind("b"), Kind::boolean);
  EXPECT_EQ(kind("d"), Kind::floating);
  EXPECT_EQ(kind("ch"), Kind::character);
  EXPECT_EQ(kind("byte"), Kind::integer);
  EXPECT_EQ(kind("flag"), Kind::boolean);
  EXPECT_EQ(kind("p"), Kind::unknown);
  EXPECT_EQ(kind("c"), Kind::enumeration);
  const auto& colors = find(image.globals, "c")->type->value.enumerators;
  ASSERT_EQ(colors.size(), 2u);
  EXPECT_EQ(colors[1].second, "green");
  EXPECT_EQ(static_cast<unsigned char>(colors[1].first), 200);
  EXPECT_TRUE(find(image.globals, "c")->type->value.is_unsigned);
}

TEST(Image, WritableDataIsSmallAndInTheRegion) {
  const Image image =
      load_text("int a = 1, b; char c[100]; const char* s = \"hello\"; int main(void) { a = b; c[5] = *s; return 0; }");
  ASSERT_EQ(image.writable.size(), 1u);
  EXPECT_LT(image.writable[0].size, 400u);
  for (const Image::Global& g : image.globals) {
    EXPECT_TRUE(region::in_image(g.address)) << g.name;
    const auto start = reinterpret_cast<Address>(image.writable[0].start);
    const bool inside = g.address >= start && g.address + g.size + 32 <= start + image.writable[0].size;
    EXPECT_EQ(inside, !g.constant) << g.name;
  }
  EXPECT_TRUE(region::in_image(reinterpret_cast<Address>(image.main)));
}

TEST(Image, RedZonesSeparateGlobals) {
  const Image image = load_text("int a, b, c; int main(void) { a = b = c = 1; return 0; }");
  std::vector<Address> at;
  for (const Image::Global& g : image.globals) at.push_back(g.address);
  std::sort(at.begin(), at.end());
  ASSERT_EQ(at.size(), 3u);
  EXPECT_GE(at[1] - at[0], 36u);
  EXPECT_GE(at[2] - at[1], 36u);
}

TEST(Image, RestoredDataRunsAgain) {
  const Image image = load_text("int a = 3; static int t[2]; int main(void) { a += ++t[1]; return a; }");
  const auto& segment = image.writable[0];
  const std::vector<std::byte> initial(segment.start, segment.start + segment.size);
  EXPECT_EQ(run(image), 4);
  EXPECT_EQ(run(image), 6);
  std::copy(initial.begin(), initial.end(), segment.start);
  EXPECT_EQ(run(image), 4);
}

TEST(Image, ThreadLocalBlock) {
  const Image image = load_text(R"(
    _Thread_local int a = 3; _Thread_local _Alignas(64) long b = 4; int g; _Thread_local int* p = &g;
    int main(void) { a++; b++; *p = 1; return 0; })");
  EXPECT_EQ(image.tls.align, 64u);
  const Image::Global* a = find(image.tls.variables, "a");
  const Image::Global* b = find(image.tls.variables, "b");
  const Image::Global* p = find(image.tls.variables, "p");
  ASSERT_TRUE(a && b && p);
  EXPECT_EQ(b->address % 64, 0u);
  EXPECT_EQ(static_cast<int>(image.tls.initial[a->address]), 3);
  Address pointer;
  std::memcpy(&pointer, image.tls.initial.data() + p->address, sizeof pointer);
  EXPECT_EQ(pointer, find(image.globals, "g")->address);
}

int answer() { return 1; }

// More than a page of addresses of functions outside the program.
TEST(Image, ManyExternals) {
  constexpr int kCount = 1500;
  std::string text, calls;
  for (int i = 0; i < kCount; ++i) {
    const std::string f = "ext" + std::to_string(i) + "()";
    text += "int " + f + ";\n";
    calls += "  n += " + f + ";\n";
  }
  Program program = compile_text(text + "int main(void) {\n  int n = 0;\n" + calls + "  return n;\n}");
  EXPECT_EQ(program.externals().size(), static_cast<std::size_t>(kCount));
  const Image image =
      load(std::move(program), [](std::string_view) { return Symbol{reinterpret_cast<void*>(&answer), {}}; });
  EXPECT_EQ(run(image), kCount);
}

TEST(Image, MainParameters) {
  EXPECT_EQ(load_text("int main(void) { return 0; }").main_parameters, 0u);
  EXPECT_EQ(load_text("int main(int c, char** v) { return v[0] == 0; }").main_parameters, 2u);
}

TEST(Image, SeveralFilesAndLlvmFiles) {
  const SourceFile a("int f(int); int g = 4; int main(void) { return f(3) + g; }");
  const SourceFile b("extern \"C\" { extern int g; int f(int x) { g++; return x; } }", ".cpp");
  EXPECT_EQ(run(load(compile({.files = {a.path(), b.path()}}), find_symbol)), 8);
  const SourceFile c("@g = global i32 1\ndefine i32 @f(i32 %x) { store i32 %x, ptr @g ret i32 5 }", ".ll");
  const SourceFile d("int f(int); extern int g; int main(void) { return f(3) + g; }");
  EXPECT_EQ(run(load(compile({.files = {d.path(), c.path()}}), find_symbol)), 8);
}

}  // namespace
}  // namespace heddle::testing
