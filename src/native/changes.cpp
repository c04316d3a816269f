#include "native/changes.hpp"

#include <algorithm>

#include "native/untouched.hpp"

namespace heddle::changes {
namespace {

bool all_have_value(Address a, uint64_t n) {
  if (!cell::covered(a) || !cell::covered(a + n - 1)) return true;
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t c = *cell::at(a + i);
    if (c == 0 ? !untouched::at(a + i).has_value : (c & cell::kInit) == 0) return false;
  }
  return true;
}

void add(Note note) {
  Thread& t = *rt.current;
  if (t.noted_last.size() == kMost) {
    t.notes = false;
    return settle();
  }
  note.site = rt.site;
  note.told = t.told;
  note.heard = t.heard;
  undo::keep_size(t.noted_last);
  t.noted_last.push_back(note);
  ++t.noted;
}

// A byte that plain writes have changed.
struct Byte {
  Address a;
  std::byte before, after;
  bool had_value;
  bool gone;
  SiteId site;
  uint32_t told;  // by the thread, when it was changed

  bool is_changed() const { return !gone && (!had_value || before != after); }
};

// What has become of a location that atomic writes have changed.
struct Place {
  Address a;
  uint8_t size;
  bool stored = false;  // not only updated
  bool unused = true;   // no update has a result that is used
  bool known = false;   // what was there before
  Value before, after;
  uint64_t difference = 0;
  SiteId site;

  bool is_undone() const { return stored ? known && before == after : difference == 0 || unused; }
};

class Sum {
 public:
  Sum(const Thread& t, uint32_t since, Address frame) : t_(t), frame_(frame) {
    HEDDLE_ASSERT(since <= t.noted && t.noted - since <= t.noted_last.size());
    first_ = t.noted_last.size() - (t.noted - since);
  }

  bool is_nothing(bool atomics, SiteId& site) {
    for (std::size_t i = first_; i < t_.noted_last.size(); ++i) {
      const Note& note = t_.noted_last[i];
      if (note.kind == Note::Kind::none) continue;
      site = note.site;
      if (!(atomics ? add(note, i) : note.kind < Note::Kind::store && add(note, i))) return false;
    }
    const auto changed = std::ranges::find_if(bytes_, &Byte::is_changed);
    if (changed != bytes_.end()) return site = changed->site, false;
    if (!allocated_.empty()) return false;
    for (const Place& p : places_) {
      site = p.site;
      if (!p.is_undone() || is_kept(p)) return false;
    }
    return true;
  }

 private:
  bool add(const Note& note, std::size_t i) {
    switch (note.kind) {
      case Note::Kind::plain: return add_bytes(note);
      case Note::Kind::allocated: allocated_.push_back(note.address); return true;
      case Note::Kind::freed: {
        const auto it = std::ranges::find(allocated_, note.address);
        if (it == allocated_.end()) return false;
        allocated_.erase(it);
        return true;
      }
      case Note::Kind::store:
      case Note::Kind::update: add_place(note, i); return true;
      case Note::Kind::none: break;
    }
    return true;
  }

  // Frames that have been left lie below the one in which the round ends.
  bool is_gone(Address a) const {
    if (region::in_stack(a)) return a < frame_;
    if (!region::in_arena(a)) return false;
    const Block* const b = heap::find(a);
    return b == nullptr || b->freed;
  }

  // Whether no other thread can have seen what is taken back.
  bool add_bytes(const Note& note) {
    const auto* const before = reinterpret_cast<const std::byte*>(&note.before);
    const auto* const after = reinterpret_cast<const std::byte*>(&note.after);
    const bool gone = is_gone(note.address);
    for (unsigned i = 0; i < note.size; ++i) {
      const Address a = note.address + i;
      const auto known = std::ranges::find(bytes_, a, &Byte::a);
      if (known == bytes_.end()) {
        bytes_.push_back({a, before[i], after[i], note.had_value, gone, note.site, note.told});
        continue;
      }
      if (known->is_changed() && note.heard > known->told) return false;
      if (!known->is_changed()) known->told = note.told;
      known->after = after[i];
    }
    return true;
  }

  // Rounds that write there are followed.
  static bool is_kept(const Place& p) {
    if (rt.kept_places.empty()) return false;
    const Address a = heap::common_place(p.a);
    const auto has = [&](uint32_t rest) { return std::ranges::binary_search(rt.kept_places, RestingPlace{a, rest}); };
    return has(0) || (p.stored && has(RestingPlace::code(p.after)));
  }

  void add_place(const Note& note, std::size_t i) {
    auto p = std::ranges::find(places_, note.address, &Place::a);
    if (p == places_.end()) {
      places_.push_back({.a = note.address, .size = note.size, .before = note.before, .after = {}, .site = note.site});
      p = places_.end() - 1;
      p->known = note.kind == Note::Kind::update;
      // What the thread itself has left there.
      for (std::size_t n = i; n-- > 0 && !p->known;) {
        const Note& earlier = t_.noted_last[n];
        if (earlier.kind < Note::Kind::store || earlier.address != note.address || earlier.size != note.size) continue;
        p->known = true;
        p->before = earlier.after;
      }
    }
    if (note.kind == Note::Kind::store) p->stored = true;
    if (note.kind == Note::Kind::update) {
      p->unused = p->unused && note.unused;
      p->difference += note.after.lo - note.before.lo;
      if (note.size < 8) p->difference &= (uint64_t{1} << (8 * note.size)) - 1;
      if (note.before.hi != note.after.hi) p->stored = true;
    }
    p->after = note.after;
    p->site = note.site;
  }

  const Thread& t_;
  const Address frame_;
  std::size_t first_;
  HostVector<Byte> bytes_;
  HostVector<Address> allocated_;
  HostVector<Place> places_;
};

}  // namespace

uint32_t begin_round() {
  Thread& t = *rt.current;
  if (!t.notes && rt.options.take_back && rt.rehearsal == nullptr) {
    undo::keep_list(t.noted_last);
    t.noted_last.clear();
    t.notes = true;
  }
  return t.noted;
}

[[gnu::noinline]] bool are_undone(uint32_t since, bool atomics, SiteId& site) {
  const Thread& t = *rt.current;
  if (t.noted == since) return true;
  return Sum(t, since, address(__builtin_frame_address(0))).is_nothing(atomics, site);
}

void forget(uint32_t since) {
  Thread& t = *rt.current;
  HEDDLE_ASSERT(since <= t.noted);
  const std::size_t n = std::min<std::size_t>(t.noted - since, t.noted_last.size());
  for (std::size_t i = t.noted_last.size() - n; i < t.noted_last.size(); ++i) {
    undo::keep_element(t.noted_last, i);
    t.noted_last[i].kind = Note::Kind::none;
  }
}

Before look(Address a, uint64_t n) { return {true, n <= kMostBytes && all_have_value(a, n)}; }

void note_write(Before before, Address a, const void* in, uint64_t n) {
  if (n > kMostBytes) return settle();
  const auto* const from = static_cast<const std::byte*>(in);
  for (uint64_t i = 0; i < n; i += sizeof(Value)) {
    const uint64_t size = std::min<uint64_t>(sizeof(Value), n - i);
    Note note{.kind = Note::Kind::plain, .size = static_cast<uint8_t>(size), .had_value = before.had_value};
    note.address = a + i;
    std::memcpy(&note.before, pointer(a + i), size);
    std::memcpy(&note.after, from + i, size);
    add(note);
  }
}

void note_allocated(Address a) {
  if (!rt.current->notes) return change();
  add({.kind = Note::Kind::allocated, .address = a});
}
void note_freed(Address a) {
  if (!rt.current->notes) return change();
  add({.kind = Note::Kind::freed, .address = a});
}

void note_store(Address a, unsigned size, Value value) {
  if (!rt.current->notes) return change();
  add({.kind = Note::Kind::store, .size = static_cast<uint8_t>(size), .address = a, .after = value});
}
void note_update(Address a, unsigned size, Value before, Value after, bool unused) {
  if (!rt.current->notes) return change();
  add({.kind = Note::Kind::update,
       .size = static_cast<uint8_t>(size),
       .unused = unused,
       .address = a,
       .before = before,
       .after = after});
}

}  // namespace heddle::changes
