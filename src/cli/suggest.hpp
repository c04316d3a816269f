// What a user may have meant by a word that is misspelt.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {

// How many letters must be changed, added, left out or swapped with their neighbour to make one word of the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The one of `known` that `word` is a slip for, or the start of; empty if none is near.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known);

// " (did you mean X?)", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known,
                         std::string_view prefix = "");

}  // namespace heddle::cli
