#include "native/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "native/heap.hpp"

namespace heddle::names {
namespace {

// The innermost piece of a variable that covers a byte.
struct Piece {
  std::string path;  // ".head", "[3].next"
  const Image::Type* type = nullptr;
  std::size_t offset = 0;  // of the byte in the piece
};

// Library types whose insides mean nothing to the user.
bool opaque(const Image::Type& type) { return type.name.starts_with("pthread_") || type.name == "mtx_t"; }

// A member that only the library may name: what it is part of means more to the user.
bool reserved(std::string_view member) { return member.starts_with("_M_") || member.starts_with("__"); }

Piece innermost(const Image::Type* type, std::size_t offset) {
  Piece p{"", type, offset};
  while (p.type != nullptr && !opaque(*p.type)) {
    if (p.type->element != nullptr && p.type->element->size != 0) {
      p.path += fmt::format("[{}]", p.offset / p.type->element->size);
      p.offset %= p.type->element->size;
      p.type = p.type->element;
      continue;
    }
    const auto holds = [&](const auto& m) {
      return p.offset >= m.offset && (m.type == nullptr || p.offset - m.offset < m.type->size);
    };
    const auto it = std::ranges::find_if(p.type->members, holds);
    if (it == p.type->members.end()) break;
    const bool array = it->type != nullptr && it->type->element != nullptr;
    if (reserved(it->name) && !array) {
      p.offset = 0;
      break;
    }
    p.offset -= it->offset;
    if (reserved(it->name) && it->type->element->size == 1) break;  // room for something else
    if (!it->name.empty() && !reserved(it->name)) p.path += "." + it->name;
    p.type = it->type;
  }
  const bool hidden = p.type != nullptr && p.type->members.empty() && p.type->name.starts_with("std::");
  if (p.type != nullptr && (opaque(*p.type) || hidden)) p.offset = 0;
  return p;
}

std::string in_variable(const auto& variable, std::size_t offset) {
  const Piece p = innermost(variable.type, offset);
  return variable.name + p.path + (p.offset == 0 ? std::string() : fmt::format(" + {}", p.offset));
}

const Image::Global* covering(const std::vector<Image::Global>& globals, Address a) {
  const auto it = std::ranges::find_if(globals, [&](const auto& g) { return a - g.address < g.size; });
  return it == globals.end() ? nullptr : &*it;
}

std::string in_tls(const Image::Tls& tls, std::size_t offset) {
  const Image::Global* const g = covering(tls.variables, offset);
  return g == nullptr ? fmt::format("thread_local + {}", offset) : in_variable(*g, offset - g->address);
}

std::string in_block(const Block& b, Address a) {
  const bool block = b.kind == BlockKind::tls && heap::state.arena[heap::owner(a)].tls == pointer(b.start);
  if (block) return in_tls(rt.image->tls, a - b.start);
  if (b.kind == BlockKind::tls) return "errno";  // the only other one
  if (const Image::Local* const local = heap::local_in(b)) return in_variable(*local, a - b.start);
  const std::string offset = a == b.start ? "" : fmt::format(" + {}", a - b.start);
  if (b.kind == BlockKind::local) return fmt::format("local at {}{}", place(b.site), offset);
  const char* const how = b.kind == BlockKind::malloc ? "malloc'd" : b.kind == BlockKind::native ? "allocated" : "new";
  return fmt::format("{} at {}{}", how, place(b.site), offset);
}

}  // namespace

std::string describe(Address a) {
  const Image::Global* const g = covering(rt.image->globals, a);
  if (g != nullptr) return in_variable(*g, a - g->address);
  if (a == kSection) return "__VERIFIER_atomic";
  if (a - kKeys < kKeyCount) return fmt::format("pthread key {}", a - kKeys);
  if (a - kWakes < kWakesSize + kQueueCount * 8 && object_of != nullptr) {
    const Address object = object_of(a);
    return object == 0 ? "nothing" : describe(object);
  }
  const Block* const b = heap::find(a);
  if (b != nullptr) return in_block(*b, a);
  return fmt::format("{:#x}", a);
}

std::string variable(Address a) {
  const Image::Global* const g = covering(rt.image->globals, a);
  if (g != nullptr) return in_variable(*g, a - g->address);
  const Block* const b = heap::find(a);
  return b != nullptr && (b->kind == BlockKind::tls || heap::local_in(*b) != nullptr) ? in_block(*b, a) : "";
}

unsigned scalar_size(Address a) {
  const Image::Global* const g = covering(rt.image->globals, a);
  if (g == nullptr) return 0;
  const Piece p = innermost(g->type, a - g->address);
  const bool scalar = p.type != nullptr && p.offset == 0 && std::has_single_bit(p.type->size) && p.type->size <= 8;
  return scalar ? static_cast<unsigned>(p.type->size) : 0;
}

}  // namespace heddle::names
