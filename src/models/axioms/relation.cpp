#include "models/axioms/relation.hpp"

#include <algorithm>
#include <bit>

#include "core/assert.hpp"

namespace heddle::axioms {
namespace {

template <typename Op>
void combine(Words& words, const Words& others, Op op) {
  HEDDLE_ASSERT(words.size() == others.size());  // of one execution
  uint64_t* a = words.begin();
  const uint64_t* b = others.begin();
  for (std::size_t i = 0; i < words.size(); ++i) a[i] = op(a[i], b[i]);
}

bool all_zero(const Words& words) {
  return std::all_of(words.begin(), words.end(), [](uint64_t w) { return w == 0; });
}

}  // namespace

bool Set::empty() const { return all_zero(words_); }

Set operator|(Set a, const Set& b) {
  combine(a.words_, b.words_, [](uint64_t x, uint64_t y) { return x | y; });
  return a;
}

Set operator&(Set a, const Set& b) {
  combine(a.words_, b.words_, [](uint64_t x, uint64_t y) { return x & y; });
  return a;
}

Relation operator|(Relation a, const Relation& b) {
  combine(a.words_, b.words_, [](uint64_t x, uint64_t y) { return x | y; });
  return a;
}

Relation operator&(Relation a, const Relation& b) {
  combine(a.words_, b.words_, [](uint64_t x, uint64_t y) { return x & y; });
  return a;
}

Relation operator-(Relation a, const Relation& b) {
  combine(a.words_, b.words_, [](uint64_t x, uint64_t y) { return x & ~y; });
  return a;
}

Relation seq(const Relation& a, const Relation& b) {
  HEDDLE_ASSERT(a.n_ == b.n_);
  Relation r(a.n_);
  for (std::size_t x = 0; x < a.n_; ++x) {
    uint64_t* out = r.row(x);
    for (std::size_t w = 0; w < a.width_; ++w) {
      for (uint64_t bits = a.row(x)[w]; bits != 0; bits &= bits - 1) {
        const uint64_t* in = b.row(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
        for (std::size_t v = 0; v < a.width_; ++v) out[v] |= in[v];
      }
    }
  }
  return r;
}

Relation seq(const Set& a, Relation b) {
  for (std::size_t x = 0; x < b.n_; ++x) {
    if (!a[x]) std::fill_n(b.row(x), b.width_, 0);
  }
  return b;
}

Relation seq(Relation a, const Set& b) {
  for (std::size_t x = 0; x < a.n_; ++x) {
    for (std::size_t w = 0; w < a.width_; ++w) a.row(x)[w] &= b.words()[w];
  }
  return a;
}

Relation inverse(const Relation& r) {
  Relation out(r.n_);
  for (std::size_t x = 0; x < r.n_; ++x) {
    for (std::size_t w = 0; w < r.width_; ++w) {
      for (uint64_t bits = r.row(x)[w]; bits != 0; bits &= bits - 1) {
        out.add(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)), x);
      }
    }
  }
  return out;
}

Relation opt(Relation r) {
  for (std::size_t x = 0; x < r.n_; ++x) r.add(x, x);
  return r;
}

// Warshall: after round k, (x, y) is in r iff there is a path whose inner events are all ≤ k. Most executions fit in
// one word per row, and most of the oracle's time goes here.
Relation plus(Relation r) {
  if (r.width_ == 1) {
    uint64_t* rows = r.words_.begin();
    for (std::size_t k = 0; k < r.n_; ++k) {
      const uint64_t via = rows[k];
      for (std::size_t x = 0; x < r.n_; ++x) rows[x] |= via & -((rows[x] >> k) & 1);
    }
    return r;
  }
  for (std::size_t k = 0; k < r.n_; ++k) {
    const uint64_t* via = r.row(k);
    for (std::size_t x = 0; x < r.n_; ++x) {
      if (!r(x, k)) continue;
      uint64_t* out = r.row(x);
      for (std::size_t w = 0; w < r.width_; ++w) out[w] |= via[w];
    }
  }
  return r;
}

bool empty(const Relation& r) { return all_zero(r.words_); }

bool irreflexive(const Relation& r) {
  for (std::size_t x = 0; x < r.n_; ++x) {
    if (r(x, x)) return false;
  }
  return true;
}

Relation identity(const Set& a) {
  Relation r(a.universe());
  for (std::size_t x = 0; x < a.universe(); ++x) {
    if (a[x]) r.add(x, x);
  }
  return r;
}

}  // namespace heddle::axioms
