// Values as a person reads them. If the type of what was accessed is known, a value is shown as the source would write
// it. If only the size is known, it is a signed number when it is small. A value that points to what the trace accesses
// is the name of that, any other that looks like a pointer is ptr1, ptr2, …, and the rest is hexadecimal.
#pragma once

#include <string>
#include <unordered_map>

#include "core/result.hpp"

namespace heddle {

class Values {
 public:
  explicit Values(const Trace& trace);

  std::string show(Value value, uint8_t size, const ValueType& type = {}) const;

 private:
  void name_pointer(const std::optional<Value>& value, const TraceStep& step);
  void number_pointer(uint64_t address);
  std::string show_integer(Value value, uint8_t size, const ValueType& type) const;

  std::unordered_map<Address, std::string> names_;
  unsigned pointers_ = 0;
};

// The value of an integer that has a sign; of a float or double.
int64_t signed_value(Value value, uint8_t size);
double floating_value(Value value, uint8_t size);

// Up to here JSON readers agree on a number, and a person reads it as one.
inline constexpr uint64_t kReadable = 1ull << 53;

}  // namespace heddle
