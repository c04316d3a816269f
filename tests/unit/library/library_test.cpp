// Library functions: what is offered, what is refused, output that is held back.
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

char* bytes() { return globals().bytes; }

TEST(Library, Refused) {
  for (const char* name :
       {"fork", "open", "fopen", "socket", "signal", "pthread_cancel", "sem_open", "system", "scanf", "setjmp",
        "fesetround", "read", "no_such_function",
        // They write memory of the program: compiled with it, or not at all.
        "_ZNSt13runtime_errorC1EPKc", "_ZNSt6localeC1Ev", "_ZTVSt13runtime_error", "_ZSt4wcout",
        "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm",
        "_ZNSt8__detail15_List_node_base7_M_hookEPS0_", "_ZNSt6thread4joinEv", "qsort", "bsearch", "strtok"})
    EXPECT_EQ(heddle::library::resolve(name).address, nullptr) << name;
}

TEST(Library, Offered) {
  for (const char* name : {"memcpy", "strlen", "printf", "sin", "sinf", "sqrtl", "atoi", "isalpha", "__errno_location",
                           "stdout", "_ZTIi", "_ZTISt9exception", "__gxx_personality_v0", "_Unwind_Resume",
                           "__cxa_throw", "__cxa_begin_catch", "_ZTVN10__cxxabiv120__si_class_type_infoE"})
    EXPECT_NE(heddle::library::resolve(name).address, nullptr) << name;
}

TEST(Library, Strings) {
  EXPECT_TRUE(fine([] {
    auto* const copy = library<char*(char*, const char*)>("strcpy");
    auto* const length = library<std::size_t(const char*)>("strlen");
    auto* const compare = library<int(const char*, const char*)>("strcmp");
    EXPECT_EQ(copy(bytes(), "hello"), bytes());
    EXPECT_EQ(length(bytes()), 5u);
    EXPECT_EQ(compare(bytes(), "hello"), 0);
    EXPECT_LT(compare(bytes(), "help"), 0);
    library<char*(char*, const char*)>("strcat")(bytes(), " world");
    EXPECT_STREQ(bytes(), "hello world");
    EXPECT_EQ((library<char*(const char*, int)>("strchr")(bytes(), 'w')), bytes() + 6);
    EXPECT_EQ((library<char*(const char*, int)>("strchr")(bytes(), 'z')), nullptr);
    EXPECT_EQ((library<char*(const char*, int)>("strchr")(bytes(), 0)), bytes() + 11);
    EXPECT_EQ((library<char*(const char*, int)>("strrchr")(bytes(), 'o')), bytes() + 7);
    EXPECT_EQ((library<char*(const char*, const char*)>("strstr")(bytes(), "lo w")), bytes() + 3);
    EXPECT_EQ((library<char*(const char*, const char*)>("strstr")(bytes(), "xyz")), nullptr);
    EXPECT_EQ((library<char*(const char*, const char*)>("strstr")(bytes(), "")), bytes());
    library<char*(char*, const char*, std::size_t)>("strncpy")(bytes() + 20, "abc", 6);
    EXPECT_EQ(std::memcmp(bytes() + 20, "abc\0\0\0", 6), 0);
    EXPECT_EQ((library<int(const char*, const char*, std::size_t)>("strncmp")("abx", "aby", 2)), 0);
    EXPECT_EQ((library<int(const void*, const void*, std::size_t)>("memcmp")("abx", "aby", 3)), -1);
    char* const twin = library<char*(const char*)>("strdup")("dup");
    EXPECT_STREQ(twin, "dup");
    library<void(void*)>("free")(twin);
    copy(bytes(), "a,b;;c");
    auto* const token = library<char*(char*, const char*, char**)>("strtok_r");
    auto** const rest = reinterpret_cast<char**>(&globals().pointers[0]);
    EXPECT_STREQ(token(bytes(), ",;", rest), "a");
    EXPECT_STREQ(token(nullptr, ",;", rest), "b");
    EXPECT_STREQ(token(nullptr, ",;", rest), "c");
    EXPECT_EQ(token(nullptr, ",;", rest), nullptr);
    return 0;
  }));
}

TEST(Library, StringsAreChecked) {
  Error e = error_of([] {
    __heddle_at(6);
    char* const p = library<char*(const char*)>("strdup")("abc");
    library<char*(char*, const char*)>("strcpy")(p, "abcd");
    return 0;
  });
  EXPECT_EQ(e.kind, ErrorKind::memory);
  EXPECT_EQ(e.site, SiteId(6));
  e = error_of([] {
    auto* const p = static_cast<char*>(library<void*(std::size_t)>("malloc")(4));
    std::memset(p, 'x', 4);
    __heddle_memset(p, 'x', 4, 0);
    __heddle_at(7);
    library<std::size_t(const char*)>("strlen")(p);
    return 0;
  });
  EXPECT_EQ(e.kind, ErrorKind::memory);
  EXPECT_EQ(e.site, SiteId(7));
  e = error_of([] {
    spawn([](void*) -> void* {
      library<char*(char*, const char*)>("strcpy")(bytes(), "abc");
      return nullptr;
    });
    spawn([](void*) -> void* {
      library<std::size_t(const char*)>("strlen")(bytes());
      return nullptr;
    });
    return 0;
  });
  EXPECT_EQ(e.kind, ErrorKind::race);
}

TEST(Library, OutputIsHeldBack) {
  World w([] {
    library<int(const char*, ...)>("printf")("%d %s %.2f\n", 42, "text", 1.5);
    library<int(const char*)>("puts")("line");
    library<int(int)>("putchar")('c');
    library<int(FILE*, const char*, ...)>("fprintf")(stderr, "<%x>", 255);
    library<int(const char*, FILE*)>("fputs")("end\n", stdout);
    library<std::size_t(const void*, std::size_t, std::size_t, FILE*)>("fwrite")("raw", 1, 3, stdout);
    return 0;
  });
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) {
    w.restart();
    EXPECT_EQ(w.machine.output(), "");
    w.run_all();
    EXPECT_EQ(w.machine.output(), "42 text 1.50\nline\nc<ff>end\nraw");
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Library, StreamsAreHeldBackToo) {
  Image i = image([] {
    std::cout << "n = " << std::hex << 255 << std::endl;
    std::cerr << "error" << '\n';
    return 0;
  });
  i.uses = heddle::library::resolve("_ZSt4cout").uses;
  World w(std::move(i), {});
  testing::internal::CaptureStdout();
  for (int i = 0; i < 2; ++i) {
    w.restart();
    w.run_all();
    EXPECT_EQ(w.machine.output(), "n = ff\nerror\n");
  }
  w.restart();
  std::cout << 255 << std::flush;  // ours
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "255");
}

TEST(Library, LongOutputIsCut) {
  World w([] {
    const std::string text(5000, 'x');
    for (int i = 0; i < 1000; ++i) library<int(const char*, ...)>("printf")("%s", text.c_str());
    return 0;
  });
  w.run_all();
  const std::string output = w.machine.output();
  EXPECT_EQ(output.find_first_not_of('x'), 1u << 20);
  EXPECT_NE(output.find("3951424 more bytes were printed"), std::string::npos) << output.substr(1 << 20);
}

TEST(Library, FormattedIntoTheProgramsMemory) {
  EXPECT_TRUE(fine([] {
    auto* const format = library<int(char*, std::size_t, const char*, ...)>("snprintf");
    EXPECT_EQ(format(bytes(), 4, "%d", 123456), 6);
    EXPECT_STREQ(bytes(), "123");
    EXPECT_EQ(format(nullptr, 0, "%d", 123456), 6);
    EXPECT_EQ((library<int(char*, const char*, ...)>("sprintf")(bytes(), "%s-%d", "ab", 7)), 4);
    EXPECT_STREQ(bytes(), "ab-7");
    return 0;
  }));
  EXPECT_EQ(error_of([] {
              void* const p = library<void*(std::size_t)>("malloc")(4);
              library<int(char*, const char*, ...)>("sprintf")(static_cast<char*>(p), "%d", 12345);
              return 0;
            }).kind,
            ErrorKind::memory);
}

TEST(Library, NothingDependsOnTheWorld) {
  static int numbers[2][2];
  World w([] {
    auto* const rand = library<int()>("rand");
    EXPECT_EQ(library<char*(const char*)>("getenv")("PATH"), nullptr);
    EXPECT_EQ(library<long(long*)>("time")(nullptr), library<long(long*)>("time")(nullptr));
    numbers[0][0] = rand();
    spawn([](void*) -> void* {
      numbers[0][1] = library<int()>("rand")();
      return nullptr;
    });
    return 0;
  });
  w.run_all();
  std::memcpy(numbers[1], numbers[0], sizeof numbers[0]);
  EXPECT_NE(numbers[0][0], numbers[0][1]);
  w.restart();
  w.run_round_robin();
  EXPECT_EQ(std::memcmp(numbers[0], numbers[1], sizeof numbers[0]), 0);
}

TEST(Library, Parse) {
  EXPECT_TRUE(fine([] {
    auto** const end = reinterpret_cast<char**>(&globals().pointers[0]);
    const char* const text = "12x";
    EXPECT_EQ((library<long(const char*, char**, int)>("strtol")(text, end, 10)), 12);
    EXPECT_EQ(*end, text + 2);
    return 0;
  }));
}

// Memory that native library code allocates and fills counts as initialised.
TEST(Library, NativeCodeAllocatesFromTheArena) {
  World w([] {
    const std::string text(100, 'x');  // libstdc++'s own operator new
    EXPECT_TRUE(region::in_arena(reinterpret_cast<Address>(text.data())));
    EXPECT_EQ(__heddle_plain_load1(text.data() + 99, 0), static_cast<unsigned>('x'));
    spawn([](void*) -> void* {
      const std::string other(100, 'y');
      return nullptr;
    });
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed()) << w.error().message;
}

}  // namespace
}  // namespace heddle::test
