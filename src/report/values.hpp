// Values as a person reads them. A trace knows sizes but not types, so a value is shown as a signed number when it
// is small, as the name of what it points to when the trace accesses that place, as ptr1, ptr2, … when it looks like
// any other pointer, and in hexadecimal otherwise.
#pragma once

#include <string>
#include <unordered_map>

#include "core/result.hpp"

namespace heddle {

class Values {
 public:
  explicit Values(const Trace& trace);

  std::string show(Value value, uint8_t size) const;

 private:
  void name_pointer(const std::optional<Value>& value, uint8_t size);

  std::unordered_map<Address, std::string> names_;
  unsigned pointers_ = 0;
};

}  // namespace heddle
