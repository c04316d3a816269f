#include "machine/jit/bindings.hpp"

#include "machine/abi.hpp"

namespace heddle {

std::span<const Binding> runtime_bindings() {
#define HEDDLE_BIND(name) {#name, reinterpret_cast<void*>(&abi::name)}
  static const Binding bindings[] = {
      HEDDLE_BIND(__heddle_load),          HEDDLE_BIND(__heddle_store),        HEDDLE_BIND(__heddle_rmw),
      HEDDLE_BIND(__heddle_cas),           HEDDLE_BIND(__heddle_load16),       HEDDLE_BIND(__heddle_store16),
      HEDDLE_BIND(__heddle_rmw16),         HEDDLE_BIND(__heddle_cas16),        HEDDLE_BIND(__heddle_fence),
      HEDDLE_BIND(__heddle_plain_load1),   HEDDLE_BIND(__heddle_plain_load2),  HEDDLE_BIND(__heddle_plain_load4),
      HEDDLE_BIND(__heddle_plain_load8),   HEDDLE_BIND(__heddle_plain_store1), HEDDLE_BIND(__heddle_plain_store2),
      HEDDLE_BIND(__heddle_plain_store4),  HEDDLE_BIND(__heddle_plain_store8), HEDDLE_BIND(__heddle_plain_load),
      HEDDLE_BIND(__heddle_plain_store),   HEDDLE_BIND(__heddle_plain_peek),   HEDDLE_BIND(__heddle_memcpy),
      HEDDLE_BIND(__heddle_memmove),       HEDDLE_BIND(__heddle_memset),       HEDDLE_BIND(__heddle_local_begin),
      HEDDLE_BIND(__heddle_local_end),     HEDDLE_BIND(__heddle_tls),          HEDDLE_BIND(__heddle_at),
      HEDDLE_BIND(__heddle_spin),          HEDDLE_BIND(__heddle_cut),          HEDDLE_BIND(__heddle_trap),
      HEDDLE_BIND(__heddle_out_of_bounds), HEDDLE_BIND(__heddle_division),     HEDDLE_BIND(__heddle_fuel),
  };
#undef HEDDLE_BIND
  return bindings;
}

}  // namespace heddle
