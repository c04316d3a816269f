#include "native/undo.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/assert.hpp"

namespace heddle::undo {

State state;

namespace {

constexpr std::size_t kBytes = 32ul << 20;      // of the log
constexpr std::size_t kMostBytes = kBytes / 4;  // of one record
constexpr std::size_t kMostMarks = kBytes / 256;

void put_back(const Word* to) {
  const Word* at = state.top;
  while (at > to) {
    const Word tag = *--at;
    const std::size_t n = tag >> detail::kKindBits;
    switch (tag & ((1u << detail::kKindBits) - 1)) {
      case detail::kCells:
        at -= 2;
        std::fill_n(reinterpret_cast<Word*>(at[0]), n, at[1]);
        break;
      case detail::kBytes: {
        void* const p = reinterpret_cast<void*>(*--at);
        HEDDLE_ASSERT(static_cast<std::size_t>(at - to) * sizeof(Word) >= n);
        at -= (n + sizeof(Word) - 1) / sizeof(Word);
        if (n == sizeof(Word)) {
          std::memcpy(p, at, sizeof(Word));
        } else {
          std::memcpy(p, at, n);
        }
        break;
      }
      case detail::kCall: {
        const auto restore = reinterpret_cast<Restore>(*--at);
        HEDDLE_ASSERT(static_cast<std::size_t>(at - to) >= n);
        at -= n;
        restore(at, n);
        break;
      }
      default: std::abort();
    }
  }
  HEDDLE_ASSERT(at == to);
}

}  // namespace

void begin() {
  const char* const set = std::getenv("HEDDLE_REPLAY");
  const std::string_view replay = set == nullptr ? "" : set;
  state.allowed = replay != "always";
  state.checked = replay == "check";
  if (!state.allowed || state.low != nullptr) return;
  void* const p = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    state.allowed = false;
    return;
  }
  state.low = state.top = static_cast<Word*>(p);
  state.high = state.low + kBytes / sizeof(Word);
}

void clear() {
  state.on = false;
  state.marks.clear();
  state.top = state.low;
  ++state.life;
}

void forget() {
  if (!state.on) return;
  ++state.forgotten;
  clear();
}

void mark(uint32_t step) {
  if (!state.allowed) return;
  HEDDLE_ASSERT(state.on == !state.marks.empty());
  HEDDLE_ASSERT(state.on || state.top == state.low);  // nothing is kept without a mark
  if (state.marks.size() == kMostMarks) forget();
  HEDDLE_ASSERT(state.marks.empty() || (state.marks.back().step <= step && state.marks.back().at <= state.top));
  state.marks.push_back({state.top, step});
  state.on = true;
  ++state.segment;
}

int64_t back(std::size_t steps) {
  auto& marks = state.marks;
  while (!marks.empty() && marks.back().step > steps) marks.pop_back();
  if (marks.empty()) {
    clear();
    return -1;
  }
  const Mark mark = marks.back();
  marks.pop_back();
  HEDDLE_ASSERT(mark.step <= steps);
  HEDDLE_ASSERT(marks.empty() ? mark.at == state.low : marks.back().at <= mark.at && mark.at <= state.top);
  state.on = false;  // what is put back is not logged
  state.target = mark.at;
  put_back(mark.at);
  state.top = const_cast<Word*>(mark.at);
  HEDDLE_ASSERT(!state.on);  // no restore function sets a mark
  state.on = !marks.empty();
  ++state.segment;
  return mark.step;
}

void keep_range(const void* p, std::size_t n) {
  if (n > kMostBytes) return forget();
  const std::size_t words = (n + sizeof(Word) - 1) / sizeof(Word);
  Word* const at = detail::room(words + 2);
  if (at == nullptr) return;
  std::memcpy(at, p, n);
  at[words] = reinterpret_cast<Word>(p);
  at[words + 1] = detail::tag(detail::kBytes, n);
}

}  // namespace heddle::undo
