#include "native/untouched.hpp"

#include <algorithm>

namespace heddle::untouched {

namespace {

HostVector<Image::Global> globals;  // by address; of the whole run

// The thread_local variable that the byte of a thread's block lies in.
const Image::Global* tls_variable(const Block& b, Address a) {
  for (const Image::Global& g : rt.image->tls.variables)
    if (a - b.start - g.address < g.size) return &g;
  return nullptr;
}

Bytes look_up_global(Address a) {
  if (a < region::image_start() || a >= region::image_end()) return {};
  const Place at(a);
  if (at.in_global(a)) return {true, true, 0, Place::end(*at.before)};
  if (at.in_zone_after(a) || at.in_zone_before(a)) return {};
  const Address next = at.after == nullptr ? region::image_end() : at.after->address - Image::kRedZone;
  return {true, true, 0, std::max(next, a + 1)};
}

// The same globals are asked for in every execution.
struct Known {
  Address addr = 0;
  Bytes is;
};
Known known[256];

Bytes in_image(Address a) {
  Known& k = known[a / 8 % std::size(known)];
  if (k.addr != a) k = {a, look_up_global(a)};
  return k.is;
}

}  // namespace

Place::Place(Address a) {
  const auto it = std::ranges::upper_bound(globals, a, {}, &Image::Global::address);
  if (it != globals.begin()) before = &*(it - 1);
  if (it != globals.end()) after = &*it;
}

Bytes at(Address a) {
  if (region::in_image(a)) return in_image(a);
  if (region::in_own_arena(a)) return {true, true, 0, ~Address{0}};
  const Block* const b = heap::find(a);
  if (b == nullptr || b->freed) return {};
  Address end = b->start + b->size;
  if (b->kind == BlockKind::tls) {
    const Image::Global* const g = tls_variable(*b, a);
    if (g == nullptr) return {};
    end = b->start + g->address + g->size;
  }
  return {true, b->initialised, b->epoch, end};
}

void begin(const Image& image) {
  globals.assign(image.globals.begin(), image.globals.end());
  std::ranges::sort(globals, {}, &Image::Global::address);
  std::ranges::fill(known, Known{});
}

}  // namespace heddle::untouched
