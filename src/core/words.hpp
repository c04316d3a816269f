// Lists of names in tables: the words of one text, with spaces between them. A word that ends with an asterisk stands
// for all names that begin so.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

enum class WordFit : uint8_t { none, beginning, whole };

// How a name fits into a list: as one of the words, else by its beginning, else not.
constexpr WordFit fit(std::string_view name, std::string_view words) {
  WordFit best = WordFit::none;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(word.size() < words.size() ? word.size() + 1 : word.size());
    if (word == name) return WordFit::whole;
    if (word.ends_with('*') && name.starts_with(word.substr(0, word.size() - 1))) best = WordFit::beginning;
  }
  return best;
}
static_assert(fit("ab", "a ab b") == WordFit::whole && fit("b", "a ab b") == WordFit::whole);
static_assert(fit("abc", "a ab* b") == WordFit::beginning && fit("ab", "ab*") == WordFit::beginning);
static_assert(fit("abc", "a ab b") == WordFit::none && fit("a", "") == WordFit::none);

}  // namespace heddle
