// Lists in which each thing stands once.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace heddle {

template <class T>
void add_once(std::vector<T>& list, T what) {
  if (std::ranges::find(list, what) == list.end()) list.push_back(std::move(what));
}

}  // namespace heddle
