// Private copies of the program's strings: read byte by byte, each byte checked like an access of the program at the
// place of the call. Native code then works on the copy.
#pragma once

#include <cstddef>

#include "native/access.hpp"

namespace heddle::library {

inline constexpr std::size_t kNoLimit = SIZE_MAX;

// Like the program's own access at the place of the call.
inline unsigned char get_byte(const void* p, std::size_t i) {
  return static_cast<unsigned char>(
      abi::__heddle_plain_load1(static_cast<const char*>(p) + i, static_cast<uint32_t>(rt.site)));
}
inline void put_byte(void* p, std::size_t i, unsigned char c) {
  abi::__heddle_plain_store1(static_cast<char*>(p) + i, c, static_cast<uint32_t>(rt.site));
}

// An object of a library must fit where the program has put it, also if few of its bytes are used.
void check_room(const void* object, std::size_t size);

// Where a thread copies to. A copy may be given up half-way, with the fibre that makes it: what it used stays here.
struct Copies {
  HostVector<char> text;
  HostVector<wchar_t> wide;
};
extern PerThread<Copies> copies;

// The bytes up to the first zero, which is not read beyond, or `limit` of them; and a zero.
HostVector<char>& copy_string(const char* s, std::size_t limit, HostVector<char>& to);
const char* copy_string(const char* s, std::size_t limit = kNoLimit);
const wchar_t* copy_wide_string(const wchar_t* s, std::size_t limit = kNoLimit);

}  // namespace heddle::library
