// Work items as bytes: a part of an exploration that another process can do.
//
//   rules, contents          sealed by core/seal.hpp
//
// The rules are a hash of all that decides what the exploration means: algorithm, model, options, the machine's rules.
//
// The contents are an execution graph and a choice that is not yet explored (kernel/kernel.hpp).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "explore/request/request.hpp"

namespace heddle {

uint64_t item_rules(const Machine& machine, const Request& request);

std::string seal_item(const std::string& contents, uint64_t rules);

// What `load` makes of an item. Throws UserError if that throws std::runtime_error.
template <class Load>
auto read_item(const Load& load) {
  try {
    return load();
  } catch (const std::runtime_error& e) {
    throw UserError(std::string("this work item cannot be read: ") + e.what());
  }
}

// The contents. Throws UserError if the item is damaged, of another version, or was made by other rules.
std::string open_item(std::string_view item, const Machine& machine, const Request& request);

}  // namespace heddle
