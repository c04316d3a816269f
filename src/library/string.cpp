// string.h. Every byte that these functions read or write is checked like an access of the program itself.
#include <strings.h>

#include <cctype>
#include <cstring>
#include <cwchar>

#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"
#include "native/names.hpp"

namespace heddle::library {
namespace {

// Like the program's own access at the place of the call.
unsigned char get(const void* p, std::size_t i) {
  return static_cast<unsigned char>(
      abi::__heddle_plain_load1(static_cast<const char*>(p) + i, static_cast<uint32_t>(rt.site)));
}
void put(void* p, std::size_t i, unsigned char c) {
  abi::__heddle_plain_store1(static_cast<char*>(p) + i, c, static_cast<uint32_t>(rt.site));
}

std::size_t length(const char* s, std::size_t limit) {
  std::size_t n = 0;
  while (n < limit && get(s, n) != 0) ++n;
  return n;
}
constexpr std::size_t kNoLimit = SIZE_MAX;

void* memcpy_(void* to, const void* from, std::size_t n) {
  plain_copy(address(to), address(from), n);
  return to;
}
void* mempcpy_(void* to, const void* from, std::size_t n) { return static_cast<char*>(memcpy_(to, from, n)) + n; }
void* memset_(void* to, int c, std::size_t n) {
  plain_fill(address(to), c, n);
  return to;
}
void bzero_(void* to, std::size_t n) { plain_fill(address(to), 0, n); }
void bcopy_(const void* from, void* to, std::size_t n) { plain_copy(address(to), address(from), n); }

int memcmp_(const void* a, const void* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const int x = get(a, i);
    const int y = get(b, i);
    if (x != y) return x - y;
  }
  return 0;
}
void* memchr_(const void* s, int c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (get(s, i) == static_cast<unsigned char>(c)) return static_cast<char*>(const_cast<void*>(s)) + i;
  return nullptr;
}
void* memrchr_(const void* s, int c, std::size_t n) {
  while (n-- > 0)
    if (get(s, n) == static_cast<unsigned char>(c)) return static_cast<char*>(const_cast<void*>(s)) + n;
  return nullptr;
}
void* rawmemchr_(const void* s, int c) { return memchr_(s, c, kNoLimit); }

std::size_t strlen_(const char* s) { return length(s, kNoLimit); }
std::size_t strnlen_(const char* s, std::size_t n) { return length(s, n); }

char* strcpy_(char* to, const char* from) {
  plain_copy(address(to), address(from), strlen_(from) + 1);
  return to;
}
char* stpcpy_(char* to, const char* from) {
  const std::size_t n = strlen_(from);
  plain_copy(address(to), address(from), n + 1);
  return to + n;
}
char* strncpy_(char* to, const char* from, std::size_t n) {
  const std::size_t used = length(from, n);
  plain_copy(address(to), address(from), used);
  plain_fill(address(to) + used, 0, n - used);
  return to;
}
char* strcat_(char* to, const char* from) {
  strcpy_(to + strlen_(to), from);
  return to;
}
char* strncat_(char* to, const char* from, std::size_t n) {
  char* const end = to + strlen_(to);
  const std::size_t used = length(from, n);
  plain_copy(address(end), address(from), used);
  put(end, used, 0);
  return to;
}

template <bool kFold>
int compare(const char* a, const char* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    int x = get(a, i);
    int y = get(b, i);
    if (kFold) {
      x = std::tolower(x);
      y = std::tolower(y);
    }
    if (x != y) return x - y;
    if (x == 0) return 0;
  }
  return 0;
}
int strcmp_(const char* a, const char* b) { return compare<false>(a, b, kNoLimit); }
int strcasecmp_(const char* a, const char* b) { return compare<true>(a, b, kNoLimit); }

char* strchrnul_(const char* s, int c) {
  std::size_t i = 0;
  for (unsigned char x = get(s, 0); x != 0 && x != static_cast<unsigned char>(c); x = get(s, i)) ++i;
  return const_cast<char*>(s) + i;
}
char* strchr_(const char* s, int c) {
  char* const p = strchrnul_(s, c);
  return get(p, 0) == static_cast<unsigned char>(c) ? p : nullptr;
}
char* strrchr_(const char* s, int c) { return static_cast<char*>(memrchr_(s, c, strlen_(s) + 1)); }

char* strstr_(const char* s, const char* what) {
  const std::size_t n = strlen_(what);
  for (;; ++s) {
    if (compare<false>(s, what, n) == 0) return const_cast<char*>(s);
    if (get(s, 0) == 0) return nullptr;
  }
}

bool contains(const char* set, unsigned char c) {
  for (std::size_t i = 0;; ++i) {
    const unsigned char x = get(set, i);
    if (x == 0) return false;
    if (x == c) return true;
  }
}
template <bool kIn>
std::size_t span(const char* s, const char* set) {
  std::size_t n = 0;
  for (unsigned char c = get(s, 0); c != 0 && contains(set, c) == kIn; c = get(s, n)) ++n;
  return n;
}
char* strpbrk_(const char* s, const char* set) {
  const std::size_t n = span<false>(s, set);
  return get(s, n) == 0 ? nullptr : const_cast<char*>(s) + n;
}

char* next_token(char* s, const char* set, char** rest) {
  s += span<true>(s, set);
  if (get(s, 0) == 0) {
    *rest = s;
    return nullptr;
  }
  const std::size_t n = span<false>(s, set);
  *rest = s + n;
  if (get(s, n) != 0) {
    put(s, n, 0);
    ++*rest;
  }
  return s;
}
char* strtok_r_(char* s, const char* set, char** state) {
  char* rest = nullptr;
  char* const token = next_token(s != nullptr ? s : plain_get(state), set, &rest);
  plain_put(state, rest);
  return token;
}
// strtok keeps its place in one variable for the whole process: threads that use it at the same time race.
char* strtok_(char* s, const char* set) {
  mine();  // to be reset
  auto* const place = static_cast<char**>(pointer(names::kStrtok));
  if (s == nullptr && plain_get(place) == nullptr) return nullptr;
  return strtok_r_(s, set, place);
}

char* strndup_(const char* s, std::size_t limit) {
  const std::size_t n = length(s, limit);
  auto* const to = static_cast<char*>(heap::allocate(n + 1, 16, BlockKind::malloc, false));
  plain_copy(address(to), address(s), n);
  put(to, n, 0);
  return to;
}
char* strdup_(const char* s) { return strndup_(s, kNoLimit); }

std::size_t wcslen_(const wchar_t* s) {
  std::size_t n = 0;
  while (plain_get(s + n) != 0) ++n;
  return n;
}
int wmemcmp_(const wchar_t* a, const wchar_t* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const wchar_t x = plain_get(a + i);
    const wchar_t y = plain_get(b + i);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}
wchar_t* wmemcpy_(wchar_t* to, const wchar_t* from, std::size_t n) {
  plain_copy(address(to), address(from), n * sizeof(wchar_t));
  return to;
}

}  // namespace

std::span<const Row> string_functions() {
  static const Row table[] = {
      row("memcpy", memcpy_),
      row("memmove", memcpy_),
      row("mempcpy", mempcpy_),
      row("memset", memset_),
      row("bzero", bzero_),
      row("bcopy", bcopy_),
      row("memcmp", memcmp_),
      row("bcmp", memcmp_),
      row("memchr", memchr_),
      row("memrchr", memrchr_),
      row("rawmemchr", rawmemchr_),
      row("strlen", strlen_),
      row("strnlen", strnlen_),
      row("strcpy", strcpy_),
      row("stpcpy", stpcpy_),
      row("strncpy", strncpy_),
      row("strcat", strcat_),
      row("strncat", strncat_),
      row("strcmp", strcmp_),
      row("strcoll", strcmp_),
      row("strncmp", compare<false>),
      row("strcasecmp", strcasecmp_),
      row("strncasecmp", compare<true>),
      row("strchr", strchr_),
      row("index", strchr_),
      row("strchrnul", strchrnul_),
      row("strrchr", strrchr_),
      row("rindex", strrchr_),
      row("strstr", strstr_),
      row("strspn", span<true>),
      row("strcspn", span<false>),
      row("strpbrk", strpbrk_),
      row("strtok", strtok_),
      row("strtok_r", strtok_r_),
      row("__strtok_r", strtok_r_),
      row("strdup", strdup_),
      row("__strdup", strdup_),
      row("strndup", strndup_),
      row("__strndup", strndup_),
      row("wcslen", wcslen_),
      row("wmemcmp", wmemcmp_),
      row("wmemcpy", wmemcpy_),
      row("wmemmove", wmemcpy_),
  };
  return table;
}

}  // namespace heddle::library
