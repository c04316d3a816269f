#include "library/checked.hpp"

#include <fmt/format.h>

namespace heddle::library {

PerThread<Copies> copies;

void check_room(const void* object, std::size_t size) {
  const Block* const b = heap::find(address(object));
  if (b == nullptr || b->freed || address(object) + size <= b->start + b->size) return;
  HostScope scope;
  fail(ErrorKind::memory, fmt::format("an object of {} bytes does not fit into {}", size, heap::describe(*b)),
       kNoThread, b->site);
}

HostVector<char>& copy_string(const char* s, std::size_t limit, HostVector<char>& to) {
  const Pinned pinned;
  to.clear();
  for (std::size_t i = 0; i < limit; ++i) {
    const auto c = static_cast<char>(get_byte(s, i));
    if (c == '\0') break;
    to.push_back(c);
  }
  to.push_back('\0');
  return to;
}

const char* copy_string(const char* s, std::size_t limit) {
  return copy_string(s, limit, copies[rt.current->id].text).data();
}

const wchar_t* copy_wide_string(const wchar_t* s, std::size_t limit) {
  const Pinned pinned;
  HostVector<wchar_t>& to = copies[rt.current->id].wide;
  to.clear();
  for (std::size_t i = 0; i < limit; ++i) {
    const wchar_t c = plain_get(s + i);
    if (c == L'\0') break;
    to.push_back(c);
  }
  to.push_back(L'\0');
  return to.data();
}

}  // namespace heddle::library
