// Helping: what heddle_helped and heddle_helping of heddle.h are made of.
#include "native/helping.hpp"

#include "library/table.hpp"

namespace heddle::library {

std::span<const Row> helping_functions() {
  static const Row table[] = {
      row("heddle_help_begin", helping::begin),        row("heddle_help_again", helping::again),
      row("heddle_helped_end", helping::helped_end),   row("heddle_helped_done", helping::helped_done),
      row("heddle_helping_end", helping::helping_end),
  };
  return table;
}

}  // namespace heddle::library
