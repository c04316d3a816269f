// Plain accesses. Most are done on memory after the race check of shadow.hpp. Two kinds are actions instead:
//
//   - an access that meets a tracked location. A write is an action iff an action has used its bytes before, a read iff
//     one has written them. In an execution without races this does not depend on the schedule, because the
//     accesses in question are ordered.
//   - with races_ignore, every access to shared memory once there are threads; those of some places also if a race
//     there is suppressed (suppress.hpp).
//
// An access may be cut into pieces then: a plain access is not atomic, so several actions serve as well as one. A write
// to a part of a tracked location is a read-modify-write of the whole, so that two threads may write different parts;
// of one of 16 bytes it cannot be expressed and is refused.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "native/access.hpp"
#include "native/changes.hpp"
#include "native/names.hpp"
#include "native/untouched.hpp"

namespace heddle {
namespace {

using cell::Uninitialised;
using cell::Use;

[[gnu::always_inline]] inline bool all_visible() { return rt.concurrent && all_shown(); }

// Nothing is known of n yet: of what lies beyond all memory, no more is looked at than one stretch.
constexpr uint64_t kStretch = 1 << 16;
bool any_tracked(Address a, uint64_t n) {
  for (;;) {
    const uint64_t* const c = cell::at(a);
    const uint64_t now = std::min(n, kStretch);
    if (std::any_of(c, c + now, [](uint64_t v) { return (v & cell::kTracked) != 0; })) return true;
    a += now;
    n -= now;
    if (n == 0 || !cell::covered(a) || !cell::is_memory(a)) return false;
  }
}

// The length of the piece at a, which is not tracked: up to the next tracked location, or of a natural size for an
// action. A copy or fill should cut memory as the program's other accesses do, which the types of globals tell.
unsigned free_piece(Address a, uint64_t n, bool range) {
  HEDDLE_ASSERT(n != 0 && !any_tracked(a, 1));  // else no size would do
  unsigned size = 8;
  if (range) {
    HostScope scope;
    const unsigned scalar = names::scalar_size(a);
    if (scalar != 0) size = scalar;
  }
  while (size > n || (a & (size - 1)) != 0 || any_tracked(a, size)) size /= 2;
  return size;
}
uint64_t untracked_run(Address a, uint64_t n) {
  uint64_t i = 0;
  n = std::min(n, kStretch);
  while (i < n && (cell::at(a)[i] & cell::kTracked) == 0) ++i;
  return i;
}

Value load_action(Address a, unsigned size) {
  for_real("reads without an atomic load what others write atomically");
  Thread& t = *rt.current;
  const Value v = take(t, ActionKind::load, a, [&](Action& x) { x.size = static_cast<uint8_t>(size); }).result;
  cell::touch(t, a, size, Use::load);
  return v;
}

void store_action(Address a, unsigned size, Value value) {
  for_real("stores");
  Thread& t = *rt.current;
  change();
  take(t, ActionKind::store, a, [&](Action& x) {
    x.size = static_cast<uint8_t>(size);
    x.operand = value;
  });
  cell::touch(t, a, size, Use::store);
}

// A plain write to what actions use is one itself.
void note_replaced(Address a, uint64_t n) {
  if (rt.options.races_ignore) return;
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t c = *cell::at(a + i);
    const bool has_value = c == 0 ? untouched::at(a + i).has_value : (c & (cell::kInit | cell::kWritten)) != 0;
    if (has_value) return cell::note_lost(*rt.current, a, n);
  }
}

// A write to a part of a location: the rest of it stays as the write before has left it.
void insert_action(Address start, unsigned size, Address a, const std::byte* in, uint64_t n) {
  for_real("stores");
  HEDDLE_ASSERT(size <= sizeof(uint64_t) && start <= a && a + n <= start + size && n < size);
  Thread& t = *rt.current;
  Value value{};
  uint64_t mask = 0;
  std::memcpy(reinterpret_cast<std::byte*>(&value.lo) + (a - start), in, n);
  std::memset(reinterpret_cast<std::byte*>(&mask) + (a - start), 0xff, n);
  take(t, ActionKind::rmw, start, [&](Action& x) {
    x.size = static_cast<uint8_t>(size);
    x.op = RmwOp::insert;
    x.operand = {value.lo, mask};
  });
  change();
  cell::touch(t, start, size, Use::update);
}

// Whether the bytes are known to have no value; an action on them would be an error.
bool uninitialised_piece(Address a, unsigned size) {
  Thread& t = *rt.current;
  cell::check_read(t, a, size, Uninitialised::allow);
  const uint64_t* const c = cell::at(a);
  return std::none_of(c, c + size, [](uint64_t v) { return (v & (cell::kInit | cell::kWritten)) != 0; });
}

uint64_t read_piece(Address a, std::byte* out, uint64_t n, bool range, Uninitialised uninitialised) {
  Thread& t = *rt.current;
  const uint64_t c = *cell::at(a);
  if ((c & cell::kTracked) != 0) {
    const unsigned size = cell::size_of(c);
    const Address start = a & ~static_cast<Address>(size - 1);
    const uint64_t piece = std::min<uint64_t>(n, start + size - a);
    Value v;
    if ((c & cell::kWritten) != 0 || all_visible()) {
      v = load_action(start, size);
    } else {
      cell::check_read(t, start, size, uninitialised);
      v = read_memory(start, size);
    }
    if (piece < size && cell::state.hooks.part != nullptr) cell::state.hooks.part(v.lo);
    std::memcpy(out, reinterpret_cast<const std::byte*>(&v) + (a - start), piece);
    return piece;
  }
  if (!all_visible()) {
    const uint64_t run = untracked_run(a, n);
    cell::check_read(t, a, run, uninitialised);
    std::memcpy(out, pointer(a), run);
    return run;
  }
  const unsigned size = free_piece(a, n, range);
  const bool skip = uninitialised == Uninitialised::allow && uninitialised_piece(a, size);
  const Value v = skip ? read_memory(a, size) : load_action(a, size);
  std::memcpy(out, &v, size);
  return size;
}

uint64_t write_piece(Address a, const std::byte* in, uint64_t n, bool range) {
  Thread& t = *rt.current;
  const uint64_t c = *cell::at(a);
  unsigned size = 0;
  if ((c & cell::kTracked) != 0) {
    size = cell::size_of(c);
    const Address start = a & ~static_cast<Address>(size - 1);
    if (a != start || n < size) {
      if (size > 8) cell::refuse_mixed(a, n, a, true);
      const uint64_t piece = std::min<uint64_t>(n, start + size - a);
      note_replaced(a, piece);
      insert_action(start, size, a, in, piece);
      return piece;
    }
  } else if (!all_visible()) {
    const uint64_t run = untracked_run(a, n);
    const auto before = changes::before_write(a, run);
    cell::check_write(t, a, run);
    changes::write(before, a, in, run);
    std::memcpy(pointer(a), in, run);
    return run;
  } else {
    size = free_piece(a, n, range);
  }
  Value v;
  std::memcpy(&v, in, size);
  note_replaced(a, size);
  store_action(a, size, v);
  return size;
}

// Not one of the sizes of a single load or store.
bool is_range(uint64_t n) { return n > 8 || !std::has_single_bit(n); }

// An access is wrong if none of its bytes has a value, not if a piece of it has none: the holes of a structure.
bool any_value(Address a, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t c = *cell::at(a + i);
    if ((c & cell::kTracked) != 0 ? (c & (cell::kInit | cell::kWritten)) != 0 : !uninitialised_piece(a + i, 1))
      return true;
  }
  return false;
}

void read_pieces(Address a, void* out, uint64_t n, Uninitialised uninitialised) {
  if (all_visible() && uninitialised == Uninitialised::refuse && n > 1 && any_value(a, n))
    uninitialised = Uninitialised::allow;
  auto* to = static_cast<std::byte*>(out);
  const bool range = is_range(n);
  while (n > 0) {
    const uint64_t done = read_piece(a, to, n, range, uninitialised);
    HEDDLE_ASSERT(done != 0 && done <= n);
    a += done;
    to += done;
    n -= done;
  }
}

void write_pieces(Address a, const void* in, uint64_t n) {
  const auto* from = static_cast<const std::byte*>(in);
  const bool range = is_range(n);
  while (n > 0) {
    const uint64_t done = write_piece(a, from, n, range);
    HEDDLE_ASSERT(done != 0 && done <= n);
    a += done;
    from += done;
    n -= done;
  }
}

// Whether a range of memory is served by memory itself, without actions.
bool native(Address a, uint64_t n) { return !cell::covered(a) || (!all_visible() && !any_tracked(a, n)); }

// Of a range that is `native`.
void admit_read(Address a, uint64_t n, Uninitialised uninitialised) {
  if (cell::covered(a)) {
    cell::check_read(*rt.current, a, n, uninitialised);
  } else {
    admit_outside(a, false);
    if (region::in_stack(a) && region::in_stack(a + n)) cell::tell_parts(a, n);
  }
}
void admit_write(Address a, uint64_t n) {
  if (cell::covered(a)) {
    cell::check_write(*rt.current, a, n);
  } else {
    admit_outside(a, true);
  }
}

std::byte* scratch(uint64_t n) {
  auto& s = access::state.scratch[rt.current->id];
  if (s.size() < n) s.resize(n);
  return s.data();
}

// The words of [from, from + n), of which these are the bytes, if words lie at other places in a copy to `to`.
void tell_words(Address to, Address from, const std::byte* bytes, uint64_t n) {
  if (cell::state.hooks.part == nullptr || ((to ^ from) & cell::kWordMask) == 0) [[likely]]
    return;
  for (uint64_t i = -from & cell::kWordMask; i + sizeof(uint64_t) <= n; i += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, bytes + i, sizeof word);
    cell::state.hooks.part(word);
  }
}

// A copy carries holes along: bytes without a value stay without one.
void copy_native(Address to, Address from, uint64_t n) {
  admit_read(from, n, Uninitialised::allow);
  const bool holes = cell::covered(from) && cell::covered(to) && !cell::all_init(from, n);
  const auto before = changes::before_write(to, n);
  uint8_t* const init = holes ? reinterpret_cast<uint8_t*>(scratch(n)) : nullptr;
  if (holes)
    for (uint64_t i = 0; i < n; ++i) init[i] = (cell::at(from)[i] & cell::kInit) != 0;
  admit_write(to, n);
  tell_words(to, from, static_cast<const std::byte*>(pointer(from)), n);
  if (holes) {
    change();
    cell::copy_init(to, init, n);
  } else {
    changes::write(before, to, pointer(from), n);
  }
  std::memmove(pointer(to), pointer(from), n);
  access::end_probe();
}

void copy(Address to, Address from, uint64_t n) {
  if (n == 0) return;
  if (native(from, n) && native(to, n)) return copy_native(to, from, n);
  const Pinned pinned;
  std::byte* const buffer = scratch(n);
  plain_read(from, buffer, n, Uninitialised::allow);
  tell_words(to, from, buffer, n);
  plain_write(to, buffer, n);
}

void fill(Address a, int byte, uint64_t n) {
  if (n == 0) return;
  if (native(a, n)) {
    const auto before = changes::before_write(a, n);
    admit_write(a, n);
    if (before.on && n <= changes::kMostBytes) {
      std::byte bytes[changes::kMostBytes];
      std::memset(bytes, byte, n);
      changes::write(before, a, bytes, n);
    } else {
      change();
    }
    std::memset(pointer(a), byte, n);
    access::end_probe();
    return;
  }
  const Pinned pinned;
  std::byte* const buffer = scratch(n);
  std::memset(buffer, byte, n);
  write_pieces(a, buffer, n);
}

// Which of the bytes, just read, have a value.
void tell_init(Address a, uint8_t* init, uint64_t n) {
  if (!cell::covered(a)) {
    std::memset(init, 1, n);
    return;
  }
  for (uint64_t i = 0; i < n; ++i) init[i] = (cell::at(a)[i] & (cell::kInit | cell::kWritten)) != 0;
}

void write(Address a, const void* in, uint64_t n) {
  if (!native(a, n)) return write_pieces(a, in, n);
  const auto before = changes::before_write(a, n);
  admit_write(a, n);
  changes::write(before, a, in, n);
  std::memcpy(pointer(a), in, n);
  access::end_probe();
}

template <typename T>
[[gnu::noinline]] T load_slow(Address a) {
  T v;
  end_quiet();
  const bool native = cell::covered(a) && !all_visible();
  if (native) cell::touch_quickly(a, sizeof(T), false);
  if (native && cell::check_read_quickly<sizeof(T)>(*rt.current, cell::at(a))) {
    std::memcpy(&v, pointer(a), sizeof v);
  } else {
    plain_read(a, &v, sizeof v);
  }
  return v;
}
template <typename T>
[[gnu::noinline]] void store_slow(Address a, T v) {
  end_quiet();
  const bool native = cell::covered(a) && !all_visible();
  const auto before = changes::before_write(a, sizeof(T));
  if (native) cell::touch_quickly(a, sizeof(T), true);
  if (native && cell::check_write_quickly<sizeof(T)>(*rt.current, cell::at(a))) {
    changes::write(before, a, &v, sizeof v);
    std::memcpy(pointer(a), &v, sizeof v);
  } else {
    write(a, &v, sizeof v);
  }
}

// The same thread has written or read all these bytes since its last action: nothing to check, nothing to record.
template <typename T>
[[gnu::always_inline]] inline T load(const void* p, uint32_t site) {
  rt.site = SiteId(site);
  const Address a = address(p);
  if (region::in_stack(a)) {
    if constexpr (sizeof(T) < sizeof(uint64_t)) cell::tell_parts(a, sizeof(T));
    return *static_cast<const T*>(p);
  }
  if (!cell::covered(a)) return load_slow<T>(a);
  const uint64_t* const c = cell::at(a);
  const uint64_t e = epoch::quickly(*rt.current);
  const bool usable = (c[0] & (cell::kLive | cell::kInit | cell::kTracked | cell::kRow)) == (cell::kLive | cell::kInit);
  if (!usable || (cell::write(c[0]) != e && cell::read(c[0]) != e) || !cell::uniform<sizeof(T)>(c)) [[unlikely]]
    return load_slow<T>(a);
  if constexpr (sizeof(T) < sizeof(uint64_t)) cell::tell_parts(a, sizeof(T));
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <typename T>
[[gnu::always_inline]] inline void store(void* p, uint64_t value, uint32_t site) {
  rt.site = SiteId(site);
  const Address a = address(p);
  const auto v = static_cast<T>(value);
  if (region::in_stack(a)) {
    changes::write(changes::before_write(a, sizeof v), a, &v, sizeof v);
    *static_cast<T*>(p) = v;
    return;
  }
  if (!cell::covered(a)) return store_slow<T>(a, v);
  const uint64_t* const c = cell::at(a);
  if (c[0] != (cell::kLive | cell::kInit | epoch::quickly(*rt.current)) || !cell::uniform<sizeof(T)>(c)) [[unlikely]]
    return store_slow<T>(a, v);
  changes::write(changes::before_write(a, sizeof v), a, &v, sizeof v);
  std::memcpy(p, &v, sizeof v);
}

}  // namespace

void plain_read(Address a, void* out, uint64_t n, Uninitialised uninitialised) {
  if (n == 0) return;
  if (!native(a, n)) return read_pieces(a, out, n, uninitialised);
  admit_read(a, n, uninitialised);
  std::memcpy(out, pointer(a), n);
  access::end_probe();
}

void plain_write(Address a, const void* in, uint64_t n) {
  if (n == 0) return;
  write(a, in, n);
}

void plain_copy(Address to, Address from, uint64_t n) { copy(to, from, n); }
void check_apart(Address to, Address from, uint64_t n) {
  if (to == from || std::max(to, from) - std::min(to, from) >= n) [[likely]]
    return;
  HostScope scope;
  fail(ErrorKind::memory, fmt::format("a copy of {} bytes from {} to {}, which overlap: use memmove", n,
                                      names::describe(from), names::describe(to)));
}
void plain_fill(Address a, int byte, uint64_t n) { fill(a, byte, n); }

void plain_refresh(Address a, uint64_t n) {
  if (native(a, n)) return;
  const Pinned pinned;
  std::byte* const buffer = scratch(n);
  read_pieces(a, buffer, n, Uninitialised::allow);
  undo::keep_bytes(pointer(a), n);
  std::memcpy(pointer(a), buffer, n);
}

uint32_t hidden_read4(Address a) {
  if (cell::covered(a) && (*cell::at(a) & cell::kTracked) != 0) {
    HostScope scope;
    refuse(fmt::format(
        "{} is written as memory and used as a mutex or the like at {}, where plain accesses are events (--races "
        "ignore, "
        "--algorithm rvf): not supported; initialise it before threads are created, or with its own function",
        names::describe(a), place(rt.site)));
  }
  admit_read(a, 4, Uninitialised::refuse);
  const auto v = static_cast<uint32_t>(read_memory(a, 4).lo);
  access::end_probe();
  return v;
}

void hidden_write4(Address a, uint32_t value) {
  change();
  admit_write(a, 4);
  write_memory(a, {value, 0}, 4);
  access::end_probe();
}

}  // namespace heddle

using namespace heddle;

extern "C" {

uint32_t heddle::abi::__heddle_plain_load1(const void* p, uint32_t site) { return load<uint8_t>(p, site); }
uint32_t heddle::abi::__heddle_plain_load2(const void* p, uint32_t site) { return load<uint16_t>(p, site); }
uint32_t heddle::abi::__heddle_plain_load4(const void* p, uint32_t site) { return load<uint32_t>(p, site); }
uint64_t heddle::abi::__heddle_plain_load8(const void* p, uint32_t site) { return load<uint64_t>(p, site); }
void heddle::abi::__heddle_plain_store1(void* p, uint64_t value, uint32_t site) { store<uint8_t>(p, value, site); }
void heddle::abi::__heddle_plain_store2(void* p, uint64_t value, uint32_t site) { store<uint16_t>(p, value, site); }
void heddle::abi::__heddle_plain_store4(void* p, uint64_t value, uint32_t site) { store<uint32_t>(p, value, site); }
void heddle::abi::__heddle_plain_store8(void* p, uint64_t value, uint32_t site) { store<uint64_t>(p, value, site); }

void heddle::abi::__heddle_plain_load(const void* p, void* out, uint64_t size, uint32_t site) {
  rt.site = SiteId(site);
  plain_read(address(p), out, size);
  tell_words(address(out), address(p), static_cast<const std::byte*>(out), size);
}

void heddle::abi::__heddle_plain_store(void* p, const void* value, uint64_t size, uint32_t site) {
  rt.site = SiteId(site);
  tell_words(address(p), address(value), static_cast<const std::byte*>(value), size);
  plain_write(address(p), value, size);
}

uint64_t heddle::abi::__heddle_plain_peek(const void* p, int size, uint32_t site) {
  rt.site = SiteId(site);
  uint64_t v = 0;
  plain_read(address(p), &v, static_cast<uint64_t>(size), Uninitialised::allow);
  return v;
}

void heddle::abi::__heddle_memcpy(void* dst, const void* src, uint64_t size, uint32_t site) {
  rt.site = SiteId(site);
  check_apart(address(dst), address(src), size);
  copy(address(dst), address(src), size);
}

void heddle::abi::__heddle_memmove(void* dst, const void* src, uint64_t size, uint32_t site) {
  rt.site = SiteId(site);
  copy(address(dst), address(src), size);
}

void heddle::abi::__heddle_copy(void* dst, uint8_t* dst_init, const void* src, const uint8_t* src_init, uint64_t size,
                                uint32_t site) {
  rt.site = SiteId(site);
  if (size == 0) return;
  const Address to = address(dst);
  const Address from = address(src);
  copy(to, from, size);
  if (dst_init != nullptr) {
    if (src_init != nullptr) {
      std::memmove(dst_init, src_init, size);
    } else {
      tell_init(from, dst_init, size);
    }
  } else if (src_init != nullptr && cell::covered(to) && !all_visible() && !any_tracked(to, size)) {
    cell::copy_init(to, src_init, size);
  }
}

void heddle::abi::__heddle_memset(void* dst, int byte, uint64_t size, uint32_t site) {
  rt.site = SiteId(site);
  fill(address(dst), byte, size);
}
}
