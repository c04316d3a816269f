// Going back to an earlier moment of an execution without a restart.
//
// Before a thread takes a step, a mark is set. From the first mark on, code that changes something of the execution
// first keeps in the log what was there before: bytes of memory, cells of shadow memory, threads with their stacks, the
// books of the rooms. To go back to a mark is to put all of it back, the latest first. So an execution costs little but
// its new steps.
//
//   mark ──► keep … keep ──► mark ──► keep … ──► back ──► …
//
// A mark begins a segment. What is kept once in a segment need not be kept again in it. A thread's plain writes are
// kept at the first access after its last step, which the shadow memory notices anyway: until the next step of the
// thread no mark comes between.
//
// A change that cannot be kept makes all marks useless (forget), as does a stack that owns memory of ours (Pinned).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/assert.hpp"
#include "native/host.hpp"

namespace heddle::undo {

using Word = uint64_t;
// Puts back what the words say.
using Restore = void (*)(const Word* words, std::size_t n);

struct Mark {
  const Word* at;  // the end of the log then
  uint32_t step;   // steps that the execution had then
};

// A record: words, and a last one that tells what they are. A log can only be read from its end.
struct State {
  bool on = false;       // there is a mark
  bool allowed = true;   // HEDDLE_REPLAY=always: no
  bool checked = false;  // HEDDLE_REPLAY=check: each return is held against a restart
  uint64_t segment = 0;  // changes with each mark; never the same again
  Word* top = nullptr;   // where the next record goes
  Word* low = nullptr;   // the memory of the log
  Word* high = nullptr;
  uint64_t life = 1;             // changes whenever the log becomes empty
  const Word* target = nullptr;  // while things are put back: the end of the log afterwards
  uint64_t forgotten = 0;        // how often what could not be kept was changed
  HostVector<Mark> marks;
};
extern State state;

// For the whole run.
void begin();
// What changes now cannot be kept: all marks are gone. Cheap if there are none.
void forget();
// All marks are gone: the execution starts anew.
void clear();
// The state before the next step, of which number (from 0) is given, may be gone back to.
void mark(uint32_t step);
// Goes back to the latest mark before at most so many steps and removes it. Its number of steps; -1 if there is none.
int64_t back(std::size_t steps);

namespace detail {

enum Kind : Word { kCells, kBytes, kCall };
inline constexpr unsigned kKindBits = 2;

// Room for so many words; null if there is none, and all is forgotten.
inline Word* room(std::size_t words) {
  HEDDLE_ASSERT(state.on && state.low <= state.top && state.top <= state.high);
  if (static_cast<std::size_t>(state.high - state.top) < words) [[unlikely]] {
    forget();
    return nullptr;
  }
  Word* const at = state.top;
  state.top += words;
  return at;
}
inline Word tag(Kind kind, std::size_t n) { return n << kKindBits | kind; }

}  // namespace detail

// n cells from the first one on, all of which have this value.
inline void keep_cells(const Word* first, std::size_t n, Word value) {
  HEDDLE_ASSERT(n > 0 && std::all_of(first, first + n, [&](Word cell) { return cell == value; }));
  if (!state.on) return;
  Word* const at = detail::room(3);
  if (at == nullptr) return;
  at[0] = reinterpret_cast<Word>(first);
  at[1] = value;
  at[2] = detail::tag(detail::kCells, n);
}

// Memory that stays where it is.
void keep_range(const void* p, std::size_t n);
inline void keep_bytes(const void* p, std::size_t n) {
  if (state.on) keep_range(p, n);
}
template <std::size_t n>
[[gnu::always_inline]] inline void keep_bytes(const void* p) {
  if (!state.on) return;
  constexpr std::size_t kWords = (n + sizeof(Word) - 1) / sizeof(Word);
  Word* const at = detail::room(kWords + 2);
  if (at == nullptr) return;
  std::memcpy(at, p, n);
  at[kWords] = reinterpret_cast<Word>(p);
  at[kWords + 1] = detail::tag(detail::kBytes, n);
}
template <typename T>
void keep(const T& object) {
  static_assert(std::is_trivially_copyable_v<T>);
  keep_bytes<sizeof(T)>(&object);
}

// Room for the words of a record that `restore` puts back, to be filled in; null if nothing is kept.
inline Word* keep_words(Restore restore, std::size_t n) {
  if (!state.on) return nullptr;
  Word* const at = detail::room(n + 2);
  if (at == nullptr) return nullptr;
  at[n] = reinterpret_cast<Word>(restore);
  at[n + 1] = detail::tag(detail::kCall, n);
  return at;
}

// A list that will become longer.
template <typename T>
void keep_size(HostVector<T>& list) {
  Word* const at = keep_words(
      [](const Word* words, std::size_t) {
        auto& to = *reinterpret_cast<HostVector<T>*>(words[0]);
        HEDDLE_ASSERT(words[1] <= to.size());
        to.resize(words[1]);
      },
      2);
  if (at == nullptr) return;
  at[0] = reinterpret_cast<Word>(&list);
  at[1] = list.size();
}
// All of a short list.
template <typename T>
void keep_list(HostVector<T>& list) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::size_t bytes = list.size() * sizeof(T);
  Word* const at = keep_words(
      [](const Word* words, std::size_t) {
        auto& to = *reinterpret_cast<HostVector<T>*>(words[0]);
        to.resize(words[1]);
        if (!to.empty()) std::memcpy(static_cast<void*>(to.data()), words + 2, to.size() * sizeof(T));
      },
      2 + (bytes + sizeof(Word) - 1) / sizeof(Word));
  if (at == nullptr) return;
  at[0] = reinterpret_cast<Word>(&list);
  at[1] = list.size();
  if (bytes != 0) std::memcpy(at + 2, list.data(), bytes);
}
// One element of a list that may move.
template <typename T>
void keep_element(HostVector<T>& list, std::size_t i) {
  static_assert(std::is_trivially_copyable_v<T>);
  HEDDLE_ASSERT(i < list.size());
  Word* const at = keep_words(
      [](const Word* words, std::size_t) {
        HEDDLE_ASSERT(words[1] < reinterpret_cast<HostVector<T>*>(words[0])->size());
        T& to = (*reinterpret_cast<HostVector<T>*>(words[0]))[words[1]];
        std::memcpy(static_cast<void*>(&to), words + 2, sizeof to);
      },
      2 + (sizeof(T) + sizeof(Word) - 1) / sizeof(Word));
  if (at == nullptr) return;
  at[0] = reinterpret_cast<Word>(&list);
  at[1] = i;
  std::memcpy(at + 2, &list[i], sizeof(T));
}

}  // namespace heddle::undo
