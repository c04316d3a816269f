// dynamic_cast, by the Itanium C++ ABI (2.9.7): the classes of an object form a graph of type_infos, and its tables of
// virtual functions say where the object and its virtual bases begin. What is read of objects is checked; a type_info
// is a constant.
#include <cxxabi.h>

#include <cstddef>

#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

using ::abi::__base_class_type_info;
using ::abi::__class_type_info;
using ::abi::__si_class_type_info;
using ::abi::__vmi_class_type_info;

// What stands before the first virtual function, where the pointer in an object points to.
struct TablePrefix {
  std::ptrdiff_t to_top;
  const __class_type_info* type;
};

const char* table_of(const void* object) { return plain_get(static_cast<const char* const*>(object)); }
TablePrefix prefix_of(const void* object) {
  return plain_get(reinterpret_cast<const TablePrefix*>(table_of(object) - sizeof(TablePrefix)));
}

enum class Shape { leaf, single, multiple };

Shape shape_of(const __class_type_info* type) {
  const std::type_info& of_type = typeid(*type);
  if (of_type == typeid(__si_class_type_info)) return Shape::single;
  if (of_type == typeid(__vmi_class_type_info)) return Shape::multiple;
  return Shape::leaf;
}

const char* base_address(const char* object, const __base_class_type_info& base) {
  const std::ptrdiff_t offset = base.__offset_flags >> __base_class_type_info::__offset_shift;
  if ((base.__offset_flags & __base_class_type_info::__virtual_mask) == 0) return object + offset;
  return object + plain_get(reinterpret_cast<const std::ptrdiff_t*>(table_of(object) + offset));
}

// Calls f(address, type, is_public) for each direct base.
template <typename F>
void for_each_base(const char* object, const __class_type_info* type, F f) {
  switch (shape_of(type)) {
    case Shape::leaf: return;
    case Shape::single: return f(object, static_cast<const __si_class_type_info*>(type)->__base_type, true);
    case Shape::multiple: {
      const auto* const multiple = static_cast<const __vmi_class_type_info*>(type);
      for (unsigned i = 0; i < multiple->__base_count; ++i) {
        const __base_class_type_info& base = multiple->__base_info[i];
        f(base_address(object, base), base.__base_type,
          (base.__offset_flags & __base_class_type_info::__public_mask) != 0);
      }
    }
  }
}

struct Search {
  const char* source;
  const __class_type_info* source_type;
  const __class_type_info* target_type;

  // Objects of the target type that have the source as a public base, and all that are a base of the whole. Two ways
  // may lead to one object, through a virtual base.
  const char* below = nullptr;
  bool several_below = false;
  const char* any = nullptr;
  bool several = false;
  bool any_public = false;
  bool source_public = false;  // a public base of the whole

  static void note(const char* object, const char*& one, bool& several) {
    several |= one != nullptr && one != object;
    one = object;
  }

  bool is_source(const char* object, const __class_type_info* type) const {
    return object == source && *type == *source_type;
  }

  bool has_source(const char* object, const __class_type_info* type) const {
    if (is_source(object, type)) return true;
    bool found = false;
    for_each_base(object, type, [&](const char* base, const __class_type_info* base_type, bool is_public) {
      found = found || (is_public && has_source(base, base_type));
    });
    return found;
  }

  void visit(const char* object, const __class_type_info* type, bool is_public) {
    if (*type == *target_type) {
      any_public = (any == object && any_public) || is_public;
      note(object, any, several);
      if (has_source(object, type)) note(object, below, several_below);
    }
    if (is_source(object, type)) source_public |= is_public;
    for_each_base(object, type, [&](const char* base, const __class_type_info* base_type, bool base_public) {
      visit(base, base_type, is_public && base_public);
    });
  }
};

void* dynamic_cast_(const void* source, const __class_type_info* source_type, const __class_type_info* target_type,
                    std::ptrdiff_t) {
  const TablePrefix prefix = prefix_of(source);
  const char* const whole = static_cast<const char*>(source) + prefix.to_top;
  Search s{static_cast<const char*>(source), source_type, target_type};
  s.visit(whole, prefix.type, true);
  if (s.below != nullptr) return s.several_below ? nullptr : const_cast<char*>(s.below);
  const bool found = s.any != nullptr && !s.several && s.any_public && s.source_public;
  return found ? const_cast<char*>(s.any) : nullptr;
}

}  // namespace

std::span<const Row> cast_functions() {
  static const Row table[] = {row("__dynamic_cast", dynamic_cast_)};
  return table;
}

}  // namespace heddle::library
