#include "native/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/thread_name.hpp"
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
bool opaque(const Image::Type& type) {
  return type.element == nullptr && (type.name.starts_with("pthread_") || type.name == "mtx_t");
}

// A member that only the library may name: what it is part of means more to the user.
bool reserved(std::string_view member) { return member.starts_with("_M_") || member.starts_with("__"); }

// The element or member that covers a byte; the same type again if it has none that means something.
Piece one_step(const Image::Type* type, std::size_t offset) {
  if (type->element != nullptr && type->element->size != 0)
    return {fmt::format("[{}]", offset / type->element->size), type->element, offset % type->element->size};
  const auto holds = [&](const auto& m) {
    return offset >= m.offset && (m.type == nullptr || offset - m.offset < m.type->size);
  };
  const auto it = std::ranges::find_if(type->members, holds);
  if (it == type->members.end()) return {"", type, offset};
  const bool array = it->type != nullptr && it->type->element != nullptr;
  if (reserved(it->name) && !array) return {"", type, 0};
  const std::size_t inside = offset - it->offset;
  if (reserved(it->name) && it->type->element->size == 1) return {"", type, inside};  // room for something else
  return {it->name.empty() || reserved(it->name) ? "" : "." + it->name, it->type, inside};
}

Piece innermost(const Image::Type* type, std::size_t offset) {
  Piece p{"", type, offset};
  while (p.type != nullptr && !opaque(*p.type)) {
    const Image::Type* const outer = p.type;
    Piece inner = one_step(outer, p.offset);
    p = {p.path + inner.path, inner.type, inner.offset};
    if (p.type == outer) break;
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

bool is_heap(const Block& b) {
  return b.kind == BlockKind::malloc || b.kind == BlockKind::new_object || b.kind == BlockKind::new_array;
}

// "Node" for "struct Node" and "Node<int>".
std::string short_name(const Image::Type& type) {
  std::string name = type.name.substr(0, type.name.find('<'));
  for (const char* kind : {"struct ", "union "}) {
    if (name.starts_with(kind)) name.erase(0, std::string_view(kind).size());
  }
  return name;
}

// The type of what is in a heap block, if the user has a name for it.
const Image::Type* type_in(const Block& b) {
  if (!is_heap(b)) return nullptr;
  const auto it = std::ranges::find(rt.image->allocations, b.site, &Image::Allocation::site);
  if (it == rt.image->allocations.end() || it->type == nullptr || it->type->size == 0) return nullptr;
  const std::string name = short_name(*it->type);
  return name.starts_with("std::") || name.starts_with("__") ? nullptr : it->type;
}

// Which of the blocks of its thread that look alike it is, from 1.
template <class Alike>
std::size_t number(const Block& b, const Alike& alike) {
  const auto& blocks = heap::state.arena[heap::owner(b.start)].blocks;
  const auto end = std::ranges::find(blocks, b.start, &Block::start);
  HEDDLE_ASSERT(end != blocks.end());
  return static_cast<std::size_t>(std::count_if(blocks.begin(), end, alike)) + 1;
}

// "T1's " of what is in another thread's memory than main's.
std::string whose(const Block& b) {
  const ThreadId t = heap::owner(b.start);
  return t == kMain || t == kNoThread ? "" : name_of(t) + "'s ";
}

std::string local_name(const Block& b, const Image::Local& local) {
  const std::size_t n = number(b, [&](const Block& other) { return other.site == b.site && !other.freed; });
  return whose(b) + local.name + (n == 1 ? "" : fmt::format("#{}", n));
}

// "Node#2", "T1's Node#1"
std::string typed_name(const Block& b, const Image::Type& type) {
  const auto alike = [&](const Block& other) {
    const Image::Type* const t = type_in(other);
    return t != nullptr && (t == &type || short_name(*t) == short_name(type));
  };
  return fmt::format("{}{}#{}", whose(b), short_name(type), number(b, alike));
}

// "malloc#2 (stack.c:12)"
std::string untyped_name(const Block& b) {
  if (b.kind == BlockKind::local) return fmt::format("{}local at {}", whose(b), place(b.site));
  if (!is_heap(b)) return fmt::format("{}allocated at {}", whose(b), place(b.site));
  const std::size_t n = number(b, [&](const Block& other) { return is_heap(other) && other.kind == b.kind; });
  return fmt::format("{}{}#{} ({})", whose(b), b.kind == BlockKind::malloc ? "malloc" : "new", n, place(b.site));
}

std::string plus(std::size_t offset) { return offset == 0 ? "" : fmt::format(" + {}", offset); }

// A heap block may hold several of its type.
std::string element(const Block& b, const Image::Type& type, std::size_t& offset) {
  if (b.size < 2 * type.size) return "";
  const std::size_t n = offset / type.size;
  offset %= type.size;
  return fmt::format("[{}]", n);
}

// Whether these are a thread's thread_local variables.
bool is_tls(const Block& b) {
  return b.kind == BlockKind::tls && heap::state.arena[heap::owner(b.start)].tls == pointer(b.start);
}

std::string thread_local_name(const Block& b, Address a) {
  return is_tls(b) ? in_tls(rt.image->tls, a - b.start) : "errno";  // the only other one
}

std::string in_block(const Block& b, Address a) {
  if (b.kind == BlockKind::tls) return name_of(heap::owner(b.start)) + "'s " + thread_local_name(b, a);
  std::size_t offset = a - b.start;
  if (const Image::Local* const local = heap::local_in(b)) {
    const Piece p = innermost(local->type, offset);
    return local_name(b, *local) + p.path + plus(p.offset);
  }
  if (const Image::Type* const type = type_in(b)) {
    const std::string which = element(b, *type, offset);
    const Piece p = innermost(type, offset);
    return typed_name(b, *type) + which + p.path + plus(p.offset);
  }
  return untyped_name(b) + plus(offset);
}

// The largest piece that begins at this place: of a pointer to a structure not the first member, but the structure.
std::string beginning_at(const Image::Type* type, std::size_t offset) {
  if (offset == 0) return "";
  const std::size_t whole = offset;
  std::string path;
  while (type != nullptr && offset != 0 && !opaque(*type)) {
    const Piece p = one_step(type, offset);
    if (p.type == type) break;
    path += p.path;
    type = p.type;
    offset = p.offset;
  }
  return offset == 0 ? path : plus(whole);
}

Piece piece_at(Address a) {
  if (const Image::Global* const g = covering(rt.image->globals, a)) return innermost(g->type, a - g->address);
  const Block* const b = heap::find(a);
  if (b == nullptr) return {};
  const std::size_t offset = a - b->start;
  if (is_tls(*b)) {
    const Image::Global* const g = covering(rt.image->tls.variables, offset);
    return g == nullptr ? Piece() : innermost(g->type, offset - g->address);
  }
  if (const Image::Local* const local = heap::local_in(*b)) return innermost(local->type, offset);
  const Image::Type* const type = type_in(*b);
  return type == nullptr ? Piece() : innermost(type, offset % type->size);
}

}  // namespace

std::string describe(Address a) {
  const Image::Global* const g = covering(rt.image->globals, a);
  if (g != nullptr) return in_variable(*g, a - g->address);
  if (a == kSection) return "__VERIFIER_atomic";
  if (a - kAtExit <= kQuickExits - kAtExit) return "the exit handlers";
  if (a - kKeys < kKeyCount) return fmt::format("pthread key {}", a - kKeys);
  if (a - kWakes < kWakesSize + kQueueCount * kQueueSize && object_of != nullptr) {
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
  if (b == nullptr) return "";
  if (const Image::Local* const local = heap::local_in(*b)) return in_variable(*local, a - b->start);
  return b->kind == BlockKind::tls ? thread_local_name(*b, a) : "";
}

std::string object(Address a) {
  if (const Image::Global* const g = covering(rt.image->globals, a); g != nullptr)
    return g->name + beginning_at(g->type, a - g->address);
  if (const Image::Function* const f = function_at(a)) return f->name;
  const Block* const b = heap::find(a);
  if (b == nullptr || b->kind == BlockKind::tls) return b == nullptr ? "" : in_block(*b, a);
  std::size_t offset = a - b->start;
  if (const Image::Local* const local = heap::local_in(*b))
    return local_name(*b, *local) + beginning_at(local->type, offset);
  const Image::Type* const type = type_in(*b);
  if (type == nullptr) return untyped_name(*b) + plus(offset);
  if (offset == 0) return typed_name(*b, *type);
  const std::string which = element(*b, *type, offset);
  return typed_name(*b, *type) + which + beginning_at(type, offset);
}

ValueType type(Address a, std::size_t size) {
  const Piece p = piece_at(a);
  return p.type != nullptr && p.offset == 0 && p.type->size == size ? p.type->value : ValueType();
}

bool in_bit_fields(Address a) {
  const Piece p = piece_at(a);
  return p.type != nullptr && p.type->bit_fields;
}

unsigned scalar_size(Address a) {
  const Image::Global* const g = covering(rt.image->globals, a);
  if (g == nullptr) return 0;
  const Piece p = innermost(g->type, a - g->address);
  const bool scalar = p.type != nullptr && p.offset == 0 && std::has_single_bit(p.type->size) && p.type->size <= 8;
  return scalar ? static_cast<unsigned>(p.type->size) : 0;
}

}  // namespace heddle::names
