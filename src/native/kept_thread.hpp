// A thread on the log of what can be undone (undo.hpp): it is copied whole before it runs.
#pragma once

#include "native/heap.hpp"

namespace heddle {

inline fibre::Stack stack_of(ThreadId t) { return {pointer(region::stack_low(t)), region::kStackUsable}; }

// Where a thread's first frame begins. Stacks lie a power of two apart; shifted tops keep threads out of each other's
// cache lines.
inline Address stack_top(ThreadId t) {
  return region::stack_low(t) + region::kStackUsable - (1024 + 64) * (index(t) % 16);
}

// Where a thread goes on. One that was left in a signal handler does not.
inline bool stands_on_its_stack(const Thread& t) {
  const Address sp = address(t.context);
  return sp >= region::stack_low(t.id) && sp < stack_top(t.id) && sp % sizeof(undo::Word) == 0;
}

// A thread as it stands before it runs: its books, those of its arena, and the part of its stack that is in use.
struct KeptThread {
  Thread* thread;
  const undo::Word* before;  // the copy before this one; null if there is none
  ThreadState state;
  heap::Books books;
};
inline constexpr std::size_t kThreadWords = sizeof(KeptThread) / sizeof(undo::Word);
inline constexpr std::size_t kMostStack = 16 << 10;  // to copy more at each step is not worth it

inline void put_back_thread(const undo::Word* words, std::size_t) {
  const auto& kept = *reinterpret_cast<const KeptThread*>(words);
  HEDDLE_ASSERT(kept.thread->id == kept.state.id);
  if (kept.before != nullptr && kept.before >= undo::state.target) return;  // that one will be put back
  Thread& t = *kept.thread;
  if (t.started) fibre::forget_frames(stack_of(t.id), t.context);
  static_cast<ThreadState&>(t) = kept.state;
  heap::put_back(t.id, kept.books);
  HEDDLE_ASSERT(!t.started || stands_on_its_stack(t));
  if (t.started) fibre::put_back(t.context, words + kThreadWords, stack_top(t.id) - address(t.context));
}

// Before t runs, and before anything of it is changed.
[[gnu::always_inline]] inline void keep_thread(Thread& t) {
  if (!undo::state.on || t.kept == undo::state.segment) return;
  const bool has_exceptions = t.exceptions.caught != nullptr || t.exceptions.uncaught != 0;
  const std::size_t stack = t.started ? stack_top(t.id) - address(t.context) : 0;
  if (t.pinned != 0 || has_exceptions || stack > kMostStack) [[unlikely]]
    return undo::forget();
  undo::Word* const at = undo::keep_words(put_back_thread, kThreadWords + fibre::kept_size(stack) / sizeof(undo::Word));
  if (at == nullptr) return;
  HEDDLE_ASSERT(!t.started || stands_on_its_stack(t));
  HEDDLE_ASSERT(t.kept_life != undo::state.life || t.kept_at < at);  // the copy before this one lies before it
  auto& kept = *reinterpret_cast<KeptThread*>(at);
  kept.thread = &t;
  kept.before = t.kept_life == undo::state.life ? t.kept_at : nullptr;
  kept.state = static_cast<const ThreadState&>(t);
  kept.books = heap::books(t.id);
  fibre::keep(t.context, at + kThreadWords, stack);
  t.kept = undo::state.segment;
  t.kept_life = undo::state.life;
  t.kept_at = at;
}

}  // namespace heddle
