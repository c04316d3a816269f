#include "litmus/read.hpp"

#include "litmus/lexer.hpp"
#include "litmus/parser.hpp"
#include "litmus/translate.hpp"

namespace heddle::litmus {

Litmus parse(std::string_view text, const std::string& file) {
  const Tokens tokens = tokenise(text, file);
  return translate(parse_test(tokens, file), file);
}

}  // namespace heddle::litmus
