// A litmus file as a name and tokens with places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/place.hpp"

namespace heddle::litmus {

struct Token {
  enum class Kind : uint8_t { word, number, sign, bad, end };

  Kind kind = Kind::end;
  Place place;
  std::string_view text;  // of the file; empty at the end
  uint64_t number = 0;    // up to 2^63
  std::string problem;    // bad: what is wrong with it, told only when the parser comes to it
};

struct Tokens {
  std::string name;           // of the test
  std::vector<Token> tokens;  // from the init block on; the last one is `end`
};

// Throws UserError when the head of the file is not that of a C litmus test.
Tokens tokenise(std::string_view text, const std::string& file);

}  // namespace heddle::litmus
