// What the compiler's helpers say of the processor, for __builtin_cpu_supports and target_clones: a plain one of its
// kind. So a program takes the same way on every machine.
#include <cstdint>

#include "library/table.hpp"

namespace heddle::library {
namespace {

void find_features() {}

#if defined(__x86_64__)

struct {
  uint32_t vendor = 0, type = 0, subtype = 0;
  uint32_t features = 0b11011;  // cmov, mmx, sse, sse2
} model;
uint32_t more_features[4] = {0, UINT32_C(1) << 31};  // x86-64 itself

#elif defined(__aarch64__)

uint64_t features[2] = {};

#endif

}  // namespace

std::span<const Row> processor_functions() {
#if defined(__x86_64__)
  static const Row table[] = {
      row("__cpu_indicator_init", find_features, kNoSideEffects),
      {"__cpu_model", &model},
      {"__cpu_features2", &more_features},
  };
#elif defined(__aarch64__)
  static const Row table[] = {
      row("__init_cpu_features", find_features, kNoSideEffects),
      row("__init_cpu_features_resolver", find_features, kNoSideEffects),
      {"__aarch64_cpu_features", &features},
  };
#endif
  return table;
}

}  // namespace heddle::library
