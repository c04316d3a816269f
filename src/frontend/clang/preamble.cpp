#include "frontend/clang/preamble.hpp"

namespace heddle::frontend {
namespace {

// Reads from the beginning of a text on. A line that a backslash continues fits nothing.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t position() const { return position_; }

  void spaces() {
    while (!at_end() && (text_[position_] == ' ' || text_[position_] == '\t' || text_[position_] == '\r')) ++position_;
  }
  bool take(std::string_view word) {
    if (text_.substr(position_, word.size()) != word) return false;
    position_ += word.size();
    return true;
  }
  // The rest of a line, and the end of it. A file may end without one.
  bool end_of_line() {
    spaces();
    if (take("//")) {
      const std::size_t end = text_.find('\n', position_);
      const std::string_view comment = text_.substr(position_, end - position_);
      if (comment.find('\\') != comment.npos || end == text_.npos) return false;
      position_ = end;
    }
    return take("\n");
  }
  // Comments and blank lines. False: something in it cannot be read.
  bool gap() {
    for (;;) {
      spaces();
      if (take("\n")) continue;
      if (take("/*")) {
        const std::size_t end = text_.find("*/", position_);
        if (end == text_.npos) return false;
        position_ = end + 2;
      } else if (text_.substr(position_, 2) == "//") {
        if (!end_of_line()) return false;
      } else {
        return true;
      }
    }
  }
  // #include <name>
  std::string_view include() {
    if (!take("#")) return {};
    spaces();
    if (!take("include")) return {};
    spaces();
    if (!take("<")) return {};
    const std::size_t end = text_.find_first_of(">\n\\", position_);
    if (end == text_.npos || text_[end] != '>') return {};
    const std::string_view name = text_.substr(position_, end - position_);
    position_ = end + 1;
    return end_of_line() ? name : std::string_view();
  }

 private:
  bool at_end() const { return position_ == text_.size(); }

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

Preamble preamble_of(std::string_view text) {
  Preamble preamble;
  Scanner scanner(text);
  while (scanner.gap()) {
    const std::string_view name = scanner.include();
    if (name.empty()) break;
    preamble.includes += "#include <" + std::string(name) + ">\n";
    preamble.size = scanner.position();
  }
  return preamble;
}

}  // namespace heddle::frontend
