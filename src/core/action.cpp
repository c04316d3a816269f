#include "core/action.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

#include "core/assert.hpp"

namespace heddle {
namespace {

using Wide = unsigned __int128;

Wide widen(Value v) { return (static_cast<Wide>(v.hi) << 64) | v.lo; }

Value narrow(Wide w, uint8_t size) {
  if (size < 16) w &= (static_cast<Wide>(1) << (8 * size)) - 1;
  return {static_cast<uint64_t>(w), static_cast<uint64_t>(w >> 64)};
}

__int128 sign_extend(Wide w, uint8_t size) {
  const int unused = 128 - 8 * size;
  return static_cast<__int128>(w << unused) >> unused;
}

template <typename Float, typename Bits>
Wide float_op(RmwOp op, Wide a, Wide b) {
  const auto x = std::bit_cast<Float>(static_cast<Bits>(a));
  const auto y = std::bit_cast<Float>(static_cast<Bits>(b));
  const Float r = op == RmwOp::fadd   ? x + y
                  : op == RmwOp::fsub ? x - y
                  : op == RmwOp::fmax ? std::fmax(x, y)
                                      : std::fmin(x, y);
  return std::bit_cast<Bits>(r);
}

Wide compute(RmwOp op, Wide a, Wide b, uint8_t size) {
  switch (op) {
    case RmwOp::xchg: return b;
    case RmwOp::add: return a + b;
    case RmwOp::sub: return a - b;
    case RmwOp::band: return a & b;
    case RmwOp::nand: return ~(a & b);
    case RmwOp::bor: return a | b;
    case RmwOp::bxor: return a ^ b;
    case RmwOp::smax: return sign_extend(a, size) >= sign_extend(b, size) ? a : b;
    case RmwOp::smin: return sign_extend(a, size) <= sign_extend(b, size) ? a : b;
    case RmwOp::umax: return a >= b ? a : b;
    case RmwOp::umin: return a <= b ? a : b;
    case RmwOp::uinc_wrap: return a >= b ? 0 : a + 1;
    case RmwOp::udec_wrap: return a == 0 || a > b ? b : a - 1;
    case RmwOp::usub_cond: return a >= b ? a - b : a;
    case RmwOp::usub_sat: return a >= b ? a - b : 0;
    case RmwOp::insert: return (a & ~(b >> 64)) | (b & (b >> 64));
    case RmwOp::fadd:
    case RmwOp::fsub:
    case RmwOp::fmax:
    case RmwOp::fmin: return size == 4 ? float_op<float, uint32_t>(op, a, b) : float_op<double, uint64_t>(op, a, b);
  }
  __builtin_unreachable();
}

}  // namespace

Value apply(RmwOp op, Value read, Value operand, uint8_t size) {
  HEDDLE_ASSERT(std::has_single_bit(size) && size <= 16);
  return narrow(compute(op, widen(read), widen(operand), size), size);
}

std::string_view name(ActionKind k) {
  constexpr std::string_view names[] = {"load",  "store", "rmw",   "cas",    "fence", "create",
                                        "join",  "exit",  "free",  "choose", "help",  "arrive",
                                        "leave", "look",  "block", "error",  "done"};
  return names[static_cast<int>(k)];
}

std::string_view name(RmwOp op) {
  constexpr std::string_view names[] = {"xchg",     "add",  "sub",  "and",  "nand",      "or",        "xor",
                                        "max",      "min",  "umax", "umin", "uinc_wrap", "udec_wrap", "usub_cond",
                                        "usub_sat", "fadd", "fsub", "fmax", "fmin",      "insert"};
  return names[static_cast<int>(op)];
}

std::string_view name(Purpose p) {
  constexpr std::string_view names[] = {
      "access", "lock",    "trylock", "unlock", "destroy", "once",       "read-lock",     "write-lock", "trylock",
      "unlock", "acquire", "release", "arrive", "barrier", "wait",       "stop waiting",  "woken",      "notify",
      "wake",   "move",    "moved",   "add to", "run",     "time limit", "earlier round", "other"};
  static_assert(std::size(names) == static_cast<int>(Purpose::other) + 1);
  return names[static_cast<int>(p)];
}

}  // namespace heddle
