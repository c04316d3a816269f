// What is written to be read by another process:
//
//   magic, version, length, contents, check sum
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

// What is sealed, and of which version. `name` is for messages: "this work item".
struct SealKind {
  std::string_view name;
  std::string_view magic;
  uint64_t version;
};

std::string seal(const SealKind& kind, std::string_view contents);

// The contents. Throws UserError if it is no such thing, damaged, cut off, or of another version.
std::string unseal(const SealKind& kind, std::string_view sealed);

// Says that it cannot be read, and why.
[[noreturn]] void refuse_sealed(const SealKind& kind, const std::string& why);

}  // namespace heddle
