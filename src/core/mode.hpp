// Access modes of RC11 (RCMC §3.1): na ⊏ rlx ⊏ {acq, rel} ⊏ acqrel ⊏ sc.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

enum class Mode : uint8_t { na, rlx, acq, rel, acqrel, sc };

constexpr bool is_acquire(Mode m) { return m == Mode::acq || m == Mode::acqrel || m == Mode::sc; }
constexpr bool is_release(Mode m) { return m == Mode::rel || m == Mode::acqrel || m == Mode::sc; }
constexpr bool is_sc(Mode m) { return m == Mode::sc; }
constexpr bool is_atomic(Mode m) { return m != Mode::na; }

constexpr std::string_view name(Mode m) {
  constexpr std::string_view names[] = {"na", "rlx", "acq", "rel", "acq_rel", "sc"};
  return names[static_cast<int>(m)];
}

}  // namespace heddle
