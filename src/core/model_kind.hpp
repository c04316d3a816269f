// The memory models, strongest first. What each of them is: src/models, and docs/models.md for a user.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle {

enum class ModelKind : uint8_t { sc, tso, pso, ra, rc11, wrc11 };

inline constexpr std::array kModels = {ModelKind::sc, ModelKind::tso,  ModelKind::pso,
                                       ModelKind::ra, ModelKind::rc11, ModelKind::wrc11};

constexpr std::string_view name(ModelKind m) {
  constexpr std::string_view names[] = {"sc", "tso", "pso", "ra", "rc11", "wrc11"};
  return names[static_cast<int>(m)];
}

constexpr std::optional<ModelKind> model_named(std::string_view text) {
  for (const ModelKind m : kModels) {
    if (name(m) == text) return m;
  }
  return std::nullopt;
}

// Whether the model knows co, a total order of the writes of each location.
constexpr bool has_co(ModelKind m) { return m != ModelKind::wrc11; }

}  // namespace heddle
