#include "report/values.hpp"

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr int64_t kSmall = 1ll << 32;
constexpr uint64_t kPointers = 1ull << 47;  // the end of user memory

int64_t sign_extend(uint64_t v, uint8_t size) {
  const int unused = 64 - 8 * size;
  return static_cast<int64_t>(v << unused) >> unused;
}

}  // namespace

Values::Values(const Trace& trace) {
  for (const auto& [address, name] : trace.objects) names_.try_emplace(address, "&" + name);
  for (const TraceStep& step : trace.steps)
    if (is_access(step.action.kind) && !step.location.empty())
      names_.try_emplace(step.action.addr, "&" + step.location);
  for (const TraceStep& step : trace.steps) {
    name_pointer(step.read, step.action.size);
    name_pointer(step.written, step.action.size);
    if (step.action.kind == ActionKind::free) name_pointer(Value{step.action.addr, 0}, 8);
  }
}

void Values::name_pointer(const std::optional<Value>& value, uint8_t size) {
  if (!value || size != 8 || value->lo < kSmall || value->lo >= kPointers) return;
  const auto [it, is_new] = names_.try_emplace(value->lo);
  if (is_new) it->second = fmt::format("ptr{}", ++pointers_);
}

std::string Values::show(Value value, uint8_t size) const {
  if (size == 16) {
    if (value.hi == 0 && value.lo < kSmall) return fmt::format("{}", value.lo);
    return fmt::format("{:#x}:{:016x}", value.hi, value.lo);
  }
  const int64_t number = size == 0 ? static_cast<int64_t>(value.lo) : sign_extend(value.lo, size);
  if (-kSmall < number && number < kSmall) return fmt::format("{}", number);
  if (const auto it = names_.find(value.lo); it != names_.end()) return it->second;
  return fmt::format("{:#x}", value.lo);
}

}  // namespace heddle
