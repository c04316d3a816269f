// Models of library functions against the real ones, on random inputs.
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <unordered_map>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

using Random = std::mt19937;

unsigned below(Random& random, unsigned n) { return random() % n; }

// On the host side, where std::string is ours; the program's copy is in the image.
char* put(const std::string& text) {
  std::memcpy(globals().bytes, text.c_str(), text.size() + 1);
  return globals().bytes;
}
std::string made_of(Random& random, const char* characters, unsigned most) {
  std::string text;
  for (unsigned n = below(random, most); n > 0; --n) text += characters[below(random, std::strlen(characters))];
  return text;
}

void run(Main main) {
  World w(main);
  w.run_all();
  EXPECT_FALSE(w.failed());
}

template <typename T>
void compare_whole(const char* name, T (*real)(const char*, char**, int)) {
  auto* const model = library<T(const char*, char**, int)>(name);
  auto** const end = reinterpret_cast<char**>(&globals().pointers[0]);
  Random random(1);
  for (int i = 0; i < 4000; ++i) {
    char* const text = put(made_of(random, " +-0xX1279afzZ_.", 12));
    constexpr int kRadix[] = {0, 2, 8, 10, 16, 36, 1};
    const int radix = kRadix[below(random, 7)];
    char* stop = nullptr;
    errno = 0;
    const T expected = real(text, &stop, radix);
    const int error = errno;
    errno = 0;
    const T value = model(text, end, radix);
    EXPECT_EQ(value, expected) << text << " in radix " << radix;
    EXPECT_EQ(errno, error) << text;
    if (radix != 1) {
      EXPECT_EQ(*end, stop) << text << " in radix " << radix;
    }
  }
}

TEST(RealLibrary, WholeNumbers) {
  run([] {
    compare_whole("strtol", std::strtol);
    compare_whole("strtoul", std::strtoul);
    return 0;
  });
}

TEST(RealLibrary, RealNumbers) {
  run([] {
    auto* const model = library<double(const char*, char**)>("strtod");
    auto** const end = reinterpret_cast<char**>(&globals().pointers[0]);
    Random random(2);
    for (int i = 0; i < 8000; ++i) {
      char* const text = put(made_of(random, i % 2 == 0 ? " +-.0123459eExXpPa" : "+-infINFtyaA(1_)", 12));
      char* stop = nullptr;
      const double expected = std::strtod(text, &stop);
      const double value = model(text, end);
      EXPECT_TRUE(value == expected || (std::isnan(value) && std::isnan(expected))) << text;
      EXPECT_EQ(*end, stop) << text;
    }
    return 0;
  });
}

TEST(RealLibrary, Formats) {
  run([] {
    auto* const model = library<int(char*, std::size_t, const char*, ...)>("snprintf");
    Random random(3);
    for (int i = 0; i < 8000; ++i) {
      std::string format = "%" + made_of(random, "-+ #0", 4);
      if (below(random, 2) == 0) format += std::to_string(1 + below(random, 12));
      if (below(random, 3) == 0) format += "." + (below(random, 4) == 0 ? "" : std::to_string(below(random, 9)));
      constexpr const char* kWhole[] = {"d", "i", "u", "x", "X", "o", "c", "hd", "hhu", "hx"};
      constexpr const char* kWide[] = {"ld", "lu", "llx", "jd", "zu", "tX", "lo"};
      constexpr const char* kReal[] = {"f", "F", "e", "E", "g", "G", "a", "A"};
      char real[512];
      const std::size_t room = below(random, 4) == 0 ? below(random, 8) : 60;
      std::memset(real, '#', sizeof real);
      std::memset(globals().bytes, '#', sizeof globals().bytes);
      int expected = 0;
      int n = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
      const auto both = [&](auto value) {
        expected = std::snprintf(real, room, format.c_str(), value);
        n = model(globals().bytes, room, format.c_str(), value);
      };
      switch (below(random, 4)) {
        case 0:
          format += kWhole[below(random, 10)];
          both(static_cast<int>(random()));
          break;
        case 1:
          format += kWide[below(random, 7)];
          both(static_cast<long>(random()) << below(random, 33));
          break;
        case 2:
          format += kReal[below(random, 8)];
          both(std::ldexp(static_cast<double>(random()) - 1e9, static_cast<int>(below(random, 80)) - 40));
          break;
        case 3:
          format += "s";
          both("some text");
          break;
      }
#pragma GCC diagnostic pop
      EXPECT_EQ(n, expected) << format;
      EXPECT_EQ(std::memcmp(real, globals().bytes, sizeof globals().bytes), 0)
          << format << ": " << globals().bytes << ", not " << real;
    }
    return 0;
  });
}

TEST(RealLibrary, Strings) {
  run([] {
    Random random(4);
    const char* const a = globals().bytes;
    const char* const b = globals().bytes + 32;
    const auto sign = [](int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; };
    for (int i = 0; i < 4000; ++i) {
      std::memset(globals().bytes, 0, sizeof globals().bytes);
      const std::string x = made_of(random, "abAB", 12);
      const std::string y = made_of(random, "abAB", i % 2 == 0 ? 3 : 12);
      std::memcpy(globals().bytes, x.c_str(), x.size());
      std::memcpy(globals().bytes + 32, y.c_str(), y.size());
      const std::size_t n = below(random, 12);
      EXPECT_EQ(sign(library<int(const char*, const char*)>("strcmp")(a, b)), sign(std::strcmp(a, b)));
      EXPECT_EQ(sign(library<int(const char*, const char*, std::size_t)>("strncmp")(a, b, n)),
                sign(std::strncmp(a, b, n)));
      EXPECT_EQ(sign(library<int(const char*, const char*)>("strcasecmp")(a, b)), sign(strcasecmp(a, b)));
      EXPECT_EQ(sign(library<int(const void*, const void*, std::size_t)>("memcmp")(a, b, n)),
                sign(std::memcmp(a, b, n)));
      EXPECT_EQ((library<char*(const char*, const char*)>("strstr")(a, b)), std::strstr(a, b));
      EXPECT_EQ((library<char*(const char*, const char*)>("strcasestr")(a, b)), strcasestr(a, b));
      EXPECT_EQ(
          (library<void*(const void*, std::size_t, const void*, std::size_t)>("memmem")(a, x.size(), b, y.size())),
          memmem(a, x.size(), b, y.size()));
      EXPECT_EQ((library<std::size_t(const char*, const char*)>("strspn")(a, b)), std::strspn(a, b));
      EXPECT_EQ((library<std::size_t(const char*, const char*)>("strcspn")(a, b)), std::strcspn(a, b));
      EXPECT_EQ((library<char*(const char*, const char*)>("strpbrk")(a, b)), std::strpbrk(a, b));
      EXPECT_EQ((library<char*(const char*, int)>("strrchr")(a, 'a')), std::strrchr(a, 'a'));
    }
    return 0;
  });
}

TEST(RealLibrary, HashesAndBuckets) {
  run([] {
    auto* const hash = library<std::size_t(const void*, std::size_t, std::size_t)>("_ZSt11_Hash_bytesPKvmm");
    Random random(5);
    for (int i = 0; i < 500; ++i) {
      const char* const text = put(made_of(random, "abcdef", 40));
      EXPECT_EQ(hash(text, std::strlen(text), 7), std::_Hash_bytes(text, std::strlen(text), 7));
    }
    using Policy = std::__detail::_Prime_rehash_policy;
    auto* const next =
        library<std::size_t(const Policy*, std::size_t)>("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm");
    auto* const mine = reinterpret_cast<Policy*>(globals().wide);
    for (std::size_t n = 0; n < 3000; ++n) {
      Policy real;
      new (mine) Policy;
      EXPECT_EQ(next(mine, n), real._M_next_bkt(n));
      EXPECT_EQ(mine->_M_next_resize, real._M_next_resize);
    }
    return 0;
  });
}

}  // namespace
}  // namespace heddle::test
