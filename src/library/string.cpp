// string.h. Every byte that these functions read or write is checked like an access of the program itself.
#include <strings.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "library/checked.hpp"
#include "library/table.hpp"

namespace heddle::library {
namespace {

unsigned char get(const void* p, std::size_t i) { return get_byte(p, i); }
void put(void* p, std::size_t i, unsigned char c) { put_byte(p, i, c); }

std::size_t length(const char* s, std::size_t limit) {
  std::size_t n = 0;
  while (n < limit && get(s, n) != 0) ++n;
  return n;
}

void* memmove_(void* to, const void* from, std::size_t n) {
  plain_copy(address(to), address(from), n);
  return to;
}
void* memcpy_(void* to, const void* from, std::size_t n) {
  check_apart(address(to), address(from), n);
  return memmove_(to, from, n);
}
void* mempcpy_(void* to, const void* from, std::size_t n) { return static_cast<char*>(memcpy_(to, from, n)) + n; }
void* memset_(void* to, int c, std::size_t n) {
  plain_fill(address(to), c, n);
  return to;
}
void bzero_(void* to, std::size_t n) { plain_fill(address(to), 0, n); }
void bcopy_(const void* from, void* to, std::size_t n) { plain_copy(address(to), address(from), n); }

// All of both is read: memcmp is given two objects, not strings.
int memcmp_(const void* a, const void* b, std::size_t n) {
  int order = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const int x = get(a, i);
    const int y = get(b, i);
    if (order == 0) order = x - y;
  }
  return order;
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
void* memmem_(const void* s, std::size_t n, const void* what, std::size_t length) {
  const auto* const at = static_cast<const char*>(s);
  for (std::size_t i = 0; length <= n && i <= n - length; ++i) {
    std::size_t same = 0;
    while (same < length && get(at, i + same) == get(what, same)) ++same;
    if (same == length) return const_cast<char*>(at) + i;
  }
  return nullptr;
}
void* memccpy_(void* to, const void* from, int c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned char x = get(from, i);
    put(to, i, x);
    if (x == static_cast<unsigned char>(c)) return static_cast<char*>(to) + i + 1;
  }
  return nullptr;
}
void* rawmemchr_(const void* s, int c) { return memchr_(s, c, kNoLimit); }

std::size_t strlen_(const char* s) { return length(s, kNoLimit); }
std::size_t strnlen_(const char* s, std::size_t n) { return length(s, n); }

char* stpcpy_(char* to, const char* from) {
  const std::size_t n = strlen_(from);
  memcpy_(to, from, n + 1);
  return to + n;
}
char* strcpy_(char* to, const char* from) {
  stpcpy_(to, from);
  return to;
}
char* strncpy_(char* to, const char* from, std::size_t n) {
  const std::size_t used = length(from, n);
  memcpy_(to, from, used);
  plain_fill(address(to) + used, 0, n - used);
  return to;
}
char* stpncpy_(char* to, const char* from, std::size_t n) {
  const std::size_t used = length(from, n);
  strncpy_(to, from, n);
  return to + used;
}
char* strcat_(char* to, const char* from) {
  strcpy_(to + strlen_(to), from);
  return to;
}
char* strncat_(char* to, const char* from, std::size_t n) {
  char* const end = to + strlen_(to);
  const std::size_t used = length(from, n);
  memcpy_(end, from, used);
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

template <bool kFold>
char* find(const char* s, const char* what) {
  const std::size_t n = strlen_(what);
  for (;; ++s) {
    if (compare<kFold>(s, what, n) == 0) return const_cast<char*>(s);
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
char* strsep_(char** s, const char* set) {
  char* const token = plain_get(s);
  if (token == nullptr) return nullptr;
  const std::size_t n = span<false>(token, set);
  const bool last = get(token, n) == 0;
  if (!last) put(token, n, 0);
  plain_put(s, last ? nullptr : token + n + 1);
  return token;
}

// In the "C" locale, which is the only one, a string collates as it is.
std::size_t strxfrm_(char* to, const char* from, std::size_t n) {
  const std::size_t needed = strlen_(from);
  if (n > 0) plain_copy(address(to), address(from), std::min(n, needed + 1));
  return needed;
}

int strerror_r_(int error, char* to, std::size_t n) {
  char text[256];
  const char* const message = ::strerror_r(error, text, sizeof text);
  const std::size_t needed = std::strlen(message);
  if (n == 0) return ERANGE;
  plain_write(address(to), message, std::min(needed, n - 1));
  put(to, std::min(needed, n - 1), 0);
  return needed < n ? 0 : ERANGE;
}
// The GNU form returns the text.
char* gnu_strerror_r(int error, char* to, std::size_t n) {
  strerror_r_(error, to, n);
  return to;
}

char* strndup_(const char* s, std::size_t limit) {
  const std::size_t n = length(s, limit);
  auto* const to = static_cast<char*>(heap::allocate(n + 1, 16, BlockKind::malloc, false));
  plain_copy(address(to), address(s), n);
  put(to, n, 0);
  return to;
}
char* strdup_(const char* s) { return strndup_(s, kNoLimit); }

}  // namespace

std::span<const Row> string_functions() {
  static const Row table[] = {
      row("memcpy", memcpy_, kNoSideEffects),
      row("memmove", memmove_, kNoSideEffects),
      row("mempcpy", mempcpy_, kNoSideEffects),
      row("memset", memset_, kNoSideEffects),
      row("bzero", bzero_, kNoSideEffects),
      row("bcopy", bcopy_, kNoSideEffects),
      row("memcmp", memcmp_, kNoSideEffects),
      row("bcmp", memcmp_, kNoSideEffects),
      row("memchr", memchr_, kNoSideEffects),
      row("memrchr", memrchr_, kNoSideEffects),
      row("rawmemchr", rawmemchr_, kNoSideEffects),
      row("memmem", memmem_, kNoSideEffects),
      row("memccpy", memccpy_, kNoSideEffects),
      row("strlen", strlen_, kNoSideEffects),
      row("strnlen", strnlen_, kNoSideEffects),
      row("strcpy", strcpy_, kNoSideEffects),
      row("stpcpy", stpcpy_, kNoSideEffects),
      row("strncpy", strncpy_, kNoSideEffects),
      row("stpncpy", stpncpy_, kNoSideEffects),
      row("__stpcpy", stpcpy_, kNoSideEffects),
      row("strcat", strcat_, kNoSideEffects),
      row("strncat", strncat_, kNoSideEffects),
      row("strcmp", strcmp_, kNoSideEffects),
      row("strcoll", strcmp_, kNoSideEffects),
      row("strncmp", compare<false>, kNoSideEffects),
      row("strcasecmp", strcasecmp_, kNoSideEffects),
      row("strncasecmp", compare<true>, kNoSideEffects),
      row("strchr", strchr_, kNoSideEffects),
      row("index", strchr_, kNoSideEffects),
      row("strchrnul", strchrnul_, kNoSideEffects),
      row("strrchr", strrchr_, kNoSideEffects),
      row("rindex", strrchr_, kNoSideEffects),
      row("strstr", find<false>, kNoSideEffects),
      row("strcasestr", find<true>, kNoSideEffects),
      row("strsep", strsep_, kNoSideEffects),
      row("strxfrm", strxfrm_, kNoSideEffects),
      row("strerror_r", gnu_strerror_r, kNoSideEffects),
      row("__xpg_strerror_r", strerror_r_, kNoSideEffects),
      row("strspn", span<true>, kNoSideEffects),
      row("strcspn", span<false>, kNoSideEffects),
      row("strpbrk", strpbrk_, kNoSideEffects),
      row("strtok_r", strtok_r_, kNoSideEffects),
      row("__strtok_r", strtok_r_, kNoSideEffects),
      row("strdup", strdup_),
      row("__strdup", strdup_),
      row("strndup", strndup_),
      row("__strndup", strndup_),
  };
  return table;
}

}  // namespace heddle::library
