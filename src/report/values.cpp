#include "report/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

namespace heddle {
namespace {

using Kind = ValueType::Kind;

constexpr int64_t kSmall = 1ll << 32;
constexpr uint64_t kPointers = 1ull << 47;  // the end of user memory

// "true", "'a'", "green"; empty if it is none of the values that have a name.
std::string name_of_value(Value value, uint8_t size, const ValueType& type) {
  const int64_t number = signed_value(value, size);
  if (type.kind == Kind::boolean && (number == 0 || number == 1)) return number == 0 ? "false" : "true";
  if (type.kind == Kind::character && number > 0 && number < 0x80 && std::isprint(static_cast<int>(number)) != 0)
    return fmt::format("'{}'", static_cast<char>(number));
  const auto same = [&](const auto& e) { return signed_value({static_cast<uint64_t>(e.first), 0}, size) == number; };
  const auto it = std::ranges::find_if(type.enumerators, same);
  return it == type.enumerators.end() ? "" : it->second;
}

}  // namespace

int64_t signed_value(Value value, uint8_t size) {
  if (size == 0 || size > 8) return static_cast<int64_t>(value.lo);
  const int unused = 64 - 8 * size;
  return static_cast<int64_t>(value.lo << unused) >> unused;
}

double floating_value(Value value, uint8_t size) {
  if (size == 4) return std::bit_cast<float>(static_cast<uint32_t>(value.lo));
  return std::bit_cast<double>(value.lo);
}

Values::Values(const Trace& trace) {
  for (const auto& [address, name] : trace.objects) names_.try_emplace(address, "&" + name);
  for (const TraceStep& step : trace.steps)
    if (is_access(step.action.kind) && !step.location.empty())
      names_.try_emplace(step.action.addr, "&" + step.location);
  for (const TraceStep& step : trace.steps) {
    name_pointer(step.read, step);
    name_pointer(step.written, step);
    if (step.action.kind == ActionKind::free) number_pointer(step.action.addr);
  }
}

// A number is none, however large.
void Values::name_pointer(const std::optional<Value>& value, const TraceStep& step) {
  if (!value || step.action.size != 8 || step.type.kind != Kind::unknown) return;
  if (value->lo < kSmall || value->lo >= kPointers) return;
  number_pointer(value->lo);
}

void Values::number_pointer(uint64_t address) {
  const auto [it, is_new] = names_.try_emplace(address);
  if (is_new) it->second = fmt::format("ptr{}", ++pointers_);
}

std::string Values::show(Value value, uint8_t size, const ValueType& type) const {
  if (size == 16) {
    if (value.hi == 0 && value.lo < kSmall) return fmt::format("{}", value.lo);
    return fmt::format("{:#x}:{:016x}", value.hi, value.lo);
  }
  if (type.kind == Kind::floating)
    return size == 4 ? fmt::format("{:#}", static_cast<float>(floating_value(value, size)))
                     : fmt::format("{:#}", floating_value(value, size));
  const std::string name = name_of_value(value, size, type);
  return name.empty() ? show_integer(value, size, type) : name;
}

std::string Values::show_integer(Value value, uint8_t size, const ValueType& type) const {
  const int64_t number = signed_value(value, size);
  const bool is_large = type.is_unsigned ? value.lo >= kSmall : number <= -kSmall || number >= kSmall;
  if (is_large) {
    if (const auto it = names_.find(value.lo); it != names_.end()) return it->second;
    if (type.kind == Kind::unknown || (type.is_unsigned && value.lo >= kReadable))
      return fmt::format("{:#x}", value.lo);
  }
  return type.is_unsigned ? fmt::format("{}", value.lo) : fmt::format("{}", number);
}

}  // namespace heddle
