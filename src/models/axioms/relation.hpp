// Sets of events and relations between them, as dense bit matrices, with the operators of the papers' notation
// (RCMC §3.2), so that a model's definition reads like the paper's:
//
//   [A];R;S     seq(A, R, S)          R?   opt(R)        R ∪ S   R | S        irreflexive(R)
//   R⁻¹         inverse(R)            R⁺   plus(R)       R ∩ S   R & S        acyclic(R)
//                                     R*   star(R)       R \ S   R - S        empty(R)
//
// In seq a set A stands for its identity relation [A].
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/assert.hpp"

namespace heddle::axioms {

// Words, all zero at first: in place while an execution has at most 64 events, which saves the oracle much of its time.
class Words {
 public:
  explicit Words(std::size_t size) : size_(size), many_(size > kFew ? size : 0) { std::fill_n(begin(), size_, 0); }
  Words(const Words& from) : size_(from.size_), many_(from.many_) { copy_few(from); }
  Words(Words&& from) noexcept : size_(from.size_), many_(std::move(from.many_)) { copy_few(from); }
  Words& operator=(const Words& from) {
    size_ = from.size_;
    many_ = from.many_;
    copy_few(from);
    return *this;
  }
  Words& operator=(Words&& from) noexcept {
    size_ = from.size_;
    many_ = std::move(from.many_);
    copy_few(from);
    return *this;
  }
  ~Words() = default;

  uint64_t* begin() { return size_ <= kFew ? few_.data() : many_.data(); }
  const uint64_t* begin() const { return size_ <= kFew ? few_.data() : many_.data(); }
  const uint64_t* end() const { return begin() + size_; }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kFew = 64;

  void copy_few(const Words& from) {
    if (size_ <= kFew) std::copy_n(from.few_.data(), size_, few_.data());
  }

  std::size_t size_;
  std::array<uint64_t, kFew> few_;
  std::vector<uint64_t> many_;
};

class Set {
 public:
  explicit Set(std::size_t n) : n_(n), words_((n + 63) / 64) {}

  std::size_t universe() const { return n_; }
  void add(std::size_t e) {
    HEDDLE_ASSERT(e < n_);
    words_.begin()[e / 64] |= uint64_t{1} << (e % 64);
  }
  bool operator[](std::size_t e) const { return ((words()[e / 64] >> (e % 64)) & 1) != 0; }
  bool empty() const;
  const uint64_t* words() const { return words_.begin(); }

  friend Set operator|(Set a, const Set& b);
  friend Set operator&(Set a, const Set& b);

 private:
  std::size_t n_;
  Words words_;
};

class Relation {
 public:
  explicit Relation(std::size_t n) : n_(n), width_((n + 63) / 64), words_(n * width_) {}

  std::size_t universe() const { return n_; }
  void add(std::size_t a, std::size_t b) {
    HEDDLE_ASSERT(a < n_ && b < n_);
    row(a)[b / 64] |= uint64_t{1} << (b % 64);
  }
  bool operator()(std::size_t a, std::size_t b) const { return ((row(a)[b / 64] >> (b % 64)) & 1) != 0; }

  friend Relation operator|(Relation a, const Relation& b);
  friend Relation operator&(Relation a, const Relation& b);
  friend Relation operator-(Relation a, const Relation& b);
  friend Relation seq(const Relation& a, const Relation& b);
  friend Relation seq(const Set& a, Relation b);
  friend Relation seq(Relation a, const Set& b);
  friend Relation inverse(const Relation& r);
  friend Relation opt(Relation r);
  friend Relation plus(Relation r);
  friend bool empty(const Relation& r);
  friend bool irreflexive(const Relation& r);

 private:
  uint64_t* row(std::size_t a) { return words_.begin() + a * width_; }
  const uint64_t* row(std::size_t a) const { return words_.begin() + a * width_; }

  std::size_t n_;
  std::size_t width_;  // words of a row
  Words words_;
};

Relation identity(const Set& a);
inline Relation star(Relation r) { return opt(plus(std::move(r))); }
inline bool acyclic(Relation r) { return irreflexive(plus(std::move(r))); }

inline Relation seq(const Set& a, const Set& b) { return identity(a & b); }
template <typename A, typename B, typename C, typename... Rest>
Relation seq(const A& a, const B& b, const C& c, const Rest&... rest) {
  return seq(seq(a, b), c, rest...);
}

}  // namespace heddle::axioms
