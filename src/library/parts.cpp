#include "library/parts.hpp"

#include <vector>

#include "core/assert.hpp"

namespace heddle::library {
namespace {

// parts.S is made by CMakeLists.txt.
struct Embedded {
  const char* name;
  const char* begin;
  const char* end;
};
extern "C" const Embedded heddle_parts[];
extern "C" const Embedded heddle_parts_end[];

std::vector<LibraryPart> all() {
  std::vector<LibraryPart> parts;
  for (const Embedded* p = heddle_parts; p != heddle_parts_end; ++p) {
    HEDDLE_ASSERT(p->begin < p->end);
    parts.push_back({p->name, {p->begin, static_cast<std::size_t>(p->end - p->begin)}});
  }
  return parts;
}

}  // namespace

std::span<const LibraryPart> parts() {
  static const std::vector<LibraryPart> found = all();
  return found;
}

}  // namespace heddle::library
