// Recursive descent over the tokens of a litmus file. The recursion is bounded: no file can exhaust the stack.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/assert.hpp"
#include "litmus/ast.hpp"
#include "litmus/lexer.hpp"

namespace heddle::litmus {

// The tokens with a reader's position. A bad token is reported when it is reached.
class Reader {
 public:
  Reader(const std::vector<Token>& tokens, const std::string& file) : tokens_(tokens), file_(file) {
    HEDDLE_ASSERT(!tokens.empty() && tokens.back().kind == Token::Kind::end);
    check();
  }

  const Token& peek() const { return tokens_[next_]; }
  const Token& peek(std::size_t ahead) const { return tokens_[std::min(next_ + ahead, tokens_.size() - 1)]; }
  Place place() const { return peek().place; }
  bool at(std::string_view text) const { return peek().text == text; }
  bool at_word() const { return peek().kind == Token::Kind::word; }
  bool at_number() const { return peek().kind == Token::Kind::number; }
  bool at_end() const { return peek().kind == Token::Kind::end; }

  const Token& take() {
    const Token& t = peek();
    if (!at_end()) ++next_;
    check();
    return t;
  }
  bool accept(std::string_view text) {
    if (!at(text)) return false;
    take();
    return true;
  }
  // `where` completes the sentence: "unexpected ';'; write ')' WHERE".
  void expect(std::string_view text, const std::string& where);
  // `what` completes the sentence: "unexpected ';'; write WHAT".
  std::string word(const std::string& what);
  // With an optional minus.
  int64_t number(const std::string& where);
  // "x", "[x]", "0:r0"
  Target target(const std::string& where);

  [[noreturn]] void fail(const std::string& what) const { litmus::fail(file_, place(), what); }
  [[noreturn]] void fail(Place at, const std::string& what) const { litmus::fail(file_, at, what); }
  [[noreturn]] void unexpected(const std::string& remedy) const { fail("unexpected " + shown() + "; " + remedy); }
  // The next token as a message shows it.
  std::string shown() const;

 private:
  void check() const {
    if (peek().kind == Token::Kind::bad) fail(peek().problem);
  }

  const std::vector<Token>& tokens_;
  const std::string& file_;
  std::size_t next_ = 0;
};

// Counts how deep the parser has gone.
class Depth {
 public:
  Depth(unsigned& depth, const Reader& in) : depth_(depth) {
    if (++depth_ > kLimit) in.fail("this is nested too deeply; split it up");
  }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

  static constexpr unsigned kLimit = 200;

 private:
  unsigned& depth_;
};

// A parameter of a thread: a pointer to a location.
struct Parameter {
  std::string name;
  bool atomic = false;
};

// The code of a thread, from after its `{` to its `}`. `given` are the locals that the init block knows.
Thread parse_body(Reader& in, const std::string& thread, const std::vector<Parameter>& parameters,
                  const std::vector<std::string>& given);

Test parse_test(const Tokens& tokens, const std::string& file);

}  // namespace heddle::litmus
