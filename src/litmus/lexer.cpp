#include "litmus/lexer.hpp"

#include <cctype>
#include <charconv>
#include <cstdio>

namespace heddle::litmus {
namespace {

constexpr uint64_t kLargest = UINT64_C(1) << 63;  // for -9223372036854775808

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool in_word(char c) { return starts_word(c) || is_digit(c); }

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Tokens run() {
    read_head();
    while (tokens_.tokens.empty() || tokens_.tokens.back().kind != Token::Kind::end) add_token();
    return std::move(tokens_);
  }

 private:
  bool at_end() const { return next_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return next_ + ahead < text_.size() ? text_[next_ + ahead] : '\0'; }
  bool looking_at(std::string_view what) const { return text_.substr(next_, what.size()) == what; }

  void skip(std::size_t n = 1) {
    for (; n > 0 && !at_end(); --n, ++next_) {
      ++place_.column;
      if (text_[next_] == '\n') place_ = {place_.line + 1, 1};
    }
  }
  void skip_line() {
    while (!at_end() && peek() != '\n') skip();
  }

  // Whether `(*` opens a comment here. Inside a thread it may also be a dereference in parentheses.
  bool at_ocaml_comment() const { return looking_at("(*") && (depth_ == 0 || is_space(peek(2)) || peek(2) == '*'); }

  // Skips white space and comments. Says what is wrong with a comment that does not end.
  std::string skip_blank() {
    for (;;) {
      while (!at_end() && is_space(peek())) skip();
      if (looking_at("//")) {
        skip_line();
      } else if (looking_at("/*")) {
        const std::size_t end = text_.find("*/", next_ + 2);
        if (end == std::string_view::npos) return "the comment has no end; close it with */";
        skip(end + 2 - next_);
      } else if (at_ocaml_comment()) {
        const std::size_t length = ocaml_comment();
        if (length == 0) {
          return std::string("the comment has no end; close it with *)") +
                 (depth_ > 0 ? ", or write (*x) without a space for a dereference" : "");
        }
        skip(length);
      } else if (depth_ == 0 && peek() == '"') {
        const std::size_t end = text_.find('"', next_ + 1);
        if (end == std::string_view::npos) return "the string has no end; close it with \"";
        skip(end + 1 - next_);
      } else {
        return {};
      }
    }
  }

  // The length of the comment that starts here, with those inside it; 0 if it has no end.
  std::size_t ocaml_comment() const {
    std::size_t nesting = 0;
    for (std::size_t i = next_; i + 1 < text_.size(); ++i) {
      const std::string_view two = text_.substr(i, 2);
      if (two == "(*") {
        ++nesting, ++i;
      } else if (two == "*)") {
        --nesting, ++i;
        if (nesting == 0) return i + 1 - next_;
      }
    }
    return 0;
  }

  void skip_blank_of_head() {
    if (const std::string problem = skip_blank(); !problem.empty()) fail(file_, place_, problem);
  }

  // "C NAME", then lines such as `Com=Rf Fr`, up to the init block.
  void read_head() {
    if (looking_at("\xef\xbb\xbf")) next_ += 3;
    skip_blank_of_head();
    const std::string_view architecture = head_word();
    if (architecture != "C") {
      fail(file_, head_, "a C litmus test starts with `C NAME`; tests in assembly are not supported");
    }
    while (!at_end() && peek() != '\n' && is_space(peek())) skip();
    tokens_.name = head_word();
    if (tokens_.name.empty()) fail(file_, place_, "the name of the test is missing; start the file with `C NAME`");
    for (;;) {
      skip_blank_of_head();
      if (!at_information()) return;
      skip_line();
    }
  }

  std::string_view head_word() {
    head_ = place_;
    const std::size_t start = next_;
    while (!at_end() && static_cast<unsigned char>(peek()) > ' ' && peek() != '\x7f') skip();
    return text_.substr(start, next_ - start);
  }

  // KEY=…
  bool at_information() const {
    std::size_t n = 0;
    while (in_word(peek(n))) ++n;
    while (peek(n) == ' ' || peek(n) == '\t') ++n;
    return starts_word(peek()) && peek(n) == '=';
  }

  void add_token() {
    Token t;
    t.problem = skip_blank();
    t.place = place_;
    if (!t.problem.empty()) {
      t.kind = Token::Kind::bad;
      next_ = text_.size();
    } else if (!at_end()) {
      const std::size_t length = classify(t);
      t.text = text_.substr(next_, length);
      track_thread(t);
      skip(length);
    }
    tokens_.tokens.push_back(std::move(t));
  }

  std::size_t classify(Token& t) const {
    std::size_t n = 1;
    if (in_word(peek())) {
      while (in_word(peek(n))) ++n;
      t.kind = Token::Kind::word;
      if (is_digit(peek())) read_number(text_.substr(next_, n), t);
      return n;
    }
    constexpr std::string_view kTwo[] = {"&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "/\\", "\\/", "=>",
                                         "++", "--", "->", "+=", "-=", "*=", "/=", "%=", "&=",  "|=",  "^="};
    constexpr std::string_view kOne = "(){}[];:,=+-*/%&|^~!<>?";
    t.kind = Token::Kind::sign;
    for (const std::string_view two : kTwo) {
      if (looking_at(two)) return 2;
    }
    if (kOne.find(peek()) == std::string_view::npos) {
      t.kind = Token::Kind::bad;
      t.problem = "unexpected " + shown(peek()) + "; remove it";
    }
    return n;
  }

  static std::string shown(char c) {
    if (std::isprint(static_cast<unsigned char>(c)) != 0) return std::string("'") + c + "'";
    char hex[16];
    std::snprintf(hex, sizeof hex, "byte 0x%02x", static_cast<unsigned char>(c));
    return hex;
  }

  static void read_number(std::string_view text, Token& t) {
    const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char* start = text.data() + (hex ? 2 : 0);
    const char* stop = text.data() + text.size();
    const auto [end, error] = std::from_chars(start, stop, t.number, hex ? 16 : 10);
    t.kind = Token::Kind::bad;
    if (error == std::errc::result_out_of_range || t.number > kLargest) {
      t.problem = "the number is too large; values have 64 bits and a sign";
    } else if (end != stop) {
      t.problem = "this is not a number; write it decimal or as 0x…, without a suffix";
    } else if (!hex && text.size() > 1 && text[0] == '0') {
      t.problem = "a number with a leading 0 is octal in C and decimal elsewhere; write it without";
    } else {
      t.kind = Token::Kind::number;
    }
  }

  // A thread's code is what stands in braces after `)`.
  void track_thread(const Token& t) {
    const bool after_parameters = !tokens_.tokens.empty() && tokens_.tokens.back().text == ")";
    if (t.text == "{" && (depth_ > 0 || after_parameters)) ++depth_;
    if (t.text == "}" && depth_ > 0) --depth_;
  }

  std::string_view text_;
  const std::string& file_;
  Tokens tokens_;
  std::size_t next_ = 0;
  Place place_;
  Place head_;
  std::size_t depth_ = 0;  // of braces, inside a thread
};

}  // namespace

Tokens tokenise(std::string_view text, const std::string& file) { return Lexer(text, file).run(); }

}  // namespace heddle::litmus
