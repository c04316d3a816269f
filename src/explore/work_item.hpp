// Work items as bytes: a part of an exploration that another process can do.
//
//   magic, version, algorithm, model, length, contents, check sum
//
// The contents are an execution graph and a choice that is not yet explored (kernel.hpp).
#pragma once

#include <string>
#include <string_view>

#include "explore/explore.hpp"

namespace heddle {

std::string seal_item(const std::string& contents, const Request& request);

// The contents. Throws UserError if the item is damaged, of another version, or for another algorithm or model.
std::string open_item(std::string_view item, const Request& request);

}  // namespace heddle
