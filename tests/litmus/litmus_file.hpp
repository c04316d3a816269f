// A litmus test of this folder as it lies on disk: NAME.litmus, with the models that allow its outcome in a comment,
// and NAME.expected, with the final states under each model. README.md describes both.
#pragma once

#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "core/model_kind.hpp"
#include "explore/explore.hpp"
#include "litmus/litmus.hpp"

namespace heddle::litmus {

using States = std::set<std::string>;                // each "0:r0=0; 1:r0=1;"
using ByModel = std::array<States, kModels.size()>;  // see `of`
using Models = std::set<ModelKind>;

inline States& of(ByModel& states, ModelKind m) { return states[static_cast<std::size_t>(m)]; }
inline const States& of(const ByModel& states, ModelKind m) { return states[static_cast<std::size_t>(m)]; }

std::string read_text(const std::filesystem::path&);

// The models of the comment "(* allowed: tso pso *)"; "none" stands for no model.
Models allowed(std::string_view litmus_text);
// "tso pso", or "none".
std::string to_string(const Models&);

ByModel parse_expected(std::string_view text);
// Models with the same states share a header. After the states of SC, only those that a model adds: "tso pso also".
std::string print_expected(const ByModel&);

// What complete executions end in, and whether the proposition of the condition holds in one of them.
struct Found {
  States states;
  bool reachable = false;

  friend bool operator==(const Found&, const Found&) = default;
};

Found by_brute_force(const Litmus&, ModelKind);
Found by_explorer(const Litmus&, ModelKind, Algorithm);

}  // namespace heddle::litmus
