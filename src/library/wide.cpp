// The part of wchar.h that works on the program's memory. Every character that is read or written is checked.
#include <cwchar>

#include "library/checked.hpp"
#include "library/table.hpp"

namespace heddle::library {
namespace {

std::size_t wide_length(const wchar_t* s, std::size_t limit) {
  std::size_t n = 0;
  while (n < limit && plain_get(s + n) != 0) ++n;
  return n;
}
std::size_t wcslen_(const wchar_t* s) { return wide_length(s, kNoLimit); }

void copy(wchar_t* to, const wchar_t* from, std::size_t n) {
  plain_copy(address(to), address(from), n * sizeof(wchar_t));
}
void fill(wchar_t* to, wchar_t c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) plain_put(to + i, c);
}

wchar_t* wmemcpy_(wchar_t* to, const wchar_t* from, std::size_t n) {
  copy(to, from, n);
  return to;
}
wchar_t* wmemset_(wchar_t* to, wchar_t c, std::size_t n) {
  fill(to, c, n);
  return to;
}
// All of both is read: the standard lets an implementation do so.
int wmemcmp_(const wchar_t* a, const wchar_t* b, std::size_t n) {
  int order = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const wchar_t x = plain_get(a + i);
    const wchar_t y = plain_get(b + i);
    if (order == 0 && x != y) order = x < y ? -1 : 1;
  }
  return order;
}
wchar_t* wmemchr_(const wchar_t* s, wchar_t c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (plain_get(s + i) == c) return const_cast<wchar_t*>(s) + i;
  return nullptr;
}

int wcsncmp_(const wchar_t* a, const wchar_t* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const wchar_t x = plain_get(a + i);
    const wchar_t y = plain_get(b + i);
    if (x != y) return x < y ? -1 : 1;
    if (x == 0) return 0;
  }
  return 0;
}
int wcscmp_(const wchar_t* a, const wchar_t* b) { return wcsncmp_(a, b, kNoLimit); }

wchar_t* wcscpy_(wchar_t* to, const wchar_t* from) { return wmemcpy_(to, from, wcslen_(from) + 1); }
wchar_t* wcsncpy_(wchar_t* to, const wchar_t* from, std::size_t n) {
  const std::size_t used = wide_length(from, n);
  copy(to, from, used);
  fill(to + used, 0, n - used);
  return to;
}
wchar_t* wcsncat_(wchar_t* to, const wchar_t* from, std::size_t n) {
  wchar_t* const end = to + wcslen_(to);
  const std::size_t used = wide_length(from, n);
  copy(end, from, used);
  plain_put(end + used, L'\0');
  return to;
}
wchar_t* wcscat_(wchar_t* to, const wchar_t* from) { return wcsncat_(to, from, kNoLimit); }

wchar_t* wcschr_(const wchar_t* s, wchar_t c) {
  for (;; ++s) {
    const wchar_t x = plain_get(s);
    if (x == c) return const_cast<wchar_t*>(s);
    if (x == 0) return nullptr;
  }
}
wchar_t* wcsrchr_(const wchar_t* s, wchar_t c) {
  const wchar_t* found = nullptr;
  for (;; ++s) {
    const wchar_t x = plain_get(s);
    if (x == c) found = s;
    if (x == 0) return const_cast<wchar_t*>(found);
  }
}
wchar_t* wcsstr_(const wchar_t* s, const wchar_t* what) {
  const std::size_t n = wcslen_(what);
  for (;; ++s) {
    if (wcsncmp_(s, what, n) == 0) return const_cast<wchar_t*>(s);
    if (plain_get(s) == 0) return nullptr;
  }
}

}  // namespace

std::span<const Row> wide_functions() {
  static const Row table[] = {
      row("wcslen", wcslen_),    row("wcsnlen", wide_length), row("wmemcmp", wmemcmp_), row("wmemcpy", wmemcpy_),
      row("wmemmove", wmemcpy_), row("wmemset", wmemset_),    row("wmemchr", wmemchr_), row("wcscmp", wcscmp_),
      row("wcsncmp", wcsncmp_),  row("wcscpy", wcscpy_),      row("wcsncpy", wcsncpy_), row("wcscat", wcscat_),
      row("wcsncat", wcsncat_),  row("wcschr", wcschr_),      row("wcsrchr", wcsrchr_), row("wcsstr", wcsstr_),
  };
  return table;
}

}  // namespace heddle::library
