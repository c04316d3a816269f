#include "unit/frontend/double.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

#include "core/action.hpp"
#include "core/error.hpp"
#include "frontend/load/load.hpp"
#include "image/entry_points.hpp"
#include "image/region.hpp"

namespace heddle {

namespace region {

namespace {
std::size_t used = 0;
}

void* map_image(std::size_t bytes) {
  void* at = reinterpret_cast<void*>(kBase + 4096 + used);  // not at kBase itself: see region.cpp
  used += bytes;
  if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
    throw UserError("no memory");
  }
  return at;
}

void unmap_image() { used = 0; }

}  // namespace region

namespace testing {

namespace {

std::vector<Call> log_of_calls;
std::vector<std::byte> tls_memory;
const Image* running = nullptr;

Value read(const void* p, std::size_t size) {
  Value v;
  std::memcpy(&v, p, size);
  return v;
}

void note(const char* name, const void* p, uint64_t size, uint64_t value, int mode, uint32_t site) {
  log_of_calls.push_back({name, const_cast<void*>(p), size, value, mode, site});
}

}  // namespace

std::vector<Call>& calls() { return log_of_calls; }
std::map<std::string, unsigned> watched;
std::vector<Awaited> awaited;
bool jumps = false;

std::size_t count(std::string_view name) {
  std::size_t n = 0;
  for (const Call& c : log_of_calls) n += c.name == name;
  return n;
}

namespace {
// The program's objects are never destroyed: their memory may be gone when this process ends.
int ignore_destructor() { return 0; }
}  // namespace

Symbol find_symbol(std::string_view name) {
  if (name == "__cxa_atexit" || name == "__cxa_thread_atexit") return {reinterpret_cast<void*>(&ignore_destructor), {}};
  return {dlsym(RTLD_DEFAULT, std::string(name).c_str()), {}};
}

SourceFile::SourceFile(std::string_view text, const char* extension) {
  char name[] = "/tmp/heddle-test-XXXXXX";
  const int fd = mkstemp(name);
  close(fd);
  unlink(name);
  path_ = std::string(name) + extension;
  FILE* f = std::fopen(path_.c_str(), "w");
  std::fwrite(text.data(), 1, text.size(), f);
  std::fclose(f);
}

SourceFile::~SourceFile() { unlink(path_.c_str()); }

Program compile_text(std::string_view text, const char* extension, std::vector<Unroll> unroll) {
  const SourceFile file(text, extension);
  std::vector<std::string> clang_args = {"-w"};
  if (std::string_view(extension) == ".cpp") clang_args.push_back("-std=c++20");
  return compile({.files = {file.path()}, .clang_args = clang_args, .unroll = std::move(unroll)});
}

Image load_text(std::string_view text, const char* extension, std::vector<Unroll> unroll) {
  return load(compile_text(text, extension, std::move(unroll)), find_symbol);
}

int run(const Image& image) {
  log_of_calls.clear();
  abi::__heddle_fuel = 1'000'000;
  tls_memory = image.tls.initial;
  tls_memory.resize(tls_memory.size() + 1);
  running = &image;
  for (void (*constructor)() : image.constructors) constructor();
  return reinterpret_cast<int (*)()>(image.main)();
}

int run_text(std::string_view text, const char* extension, std::vector<Unroll> unroll) {
  const Image image = load_text(text, extension, std::move(unroll));
  return run(image);
}

}  // namespace testing

namespace abi {

using testing::note;
using testing::read;

int64_t __heddle_fuel = 0;

uint64_t __heddle_load(void* p, int size, int mode, uint32_t site) {
  const uint64_t v = read(p, size).lo;
  note("load", p, size, v, mode, site);
  return v;
}

void __heddle_store(void* p, int size, uint64_t value, int mode, uint32_t site) {
  note("store", p, size, value, mode, site);
  std::memcpy(p, &value, size);
}

uint64_t __heddle_rmw(void* p, int size, int op, uint64_t operand, int mode, uint32_t site) {
  note("rmw", p, size, operand, mode, site);
  const Value old = read(p, size);
  const Value next = apply(static_cast<RmwOp>(op), old, {operand, 0}, static_cast<uint8_t>(size));
  std::memcpy(p, &next, size);
  return old.lo;
}

uint32_t __heddle_load_narrow(void* p, int size, int mode, uint32_t site) {
  return static_cast<uint32_t>(__heddle_load(p, size, mode, site));
}
uint32_t __heddle_rmw_narrow(void* p, int size, int op, uint64_t operand, int mode, uint32_t site) {
  return static_cast<uint32_t>(__heddle_rmw(p, size, op, operand, mode, site));
}

Pair __heddle_cas(void* p, int size, uint64_t expected, uint64_t desired, int mode, int, int, uint32_t site) {
  note("cas", p, size, desired, mode, site);
  const uint64_t old = read(p, size).lo;
  if (old == expected) std::memcpy(p, &desired, size);
  return {old, old == expected};
}

void __heddle_load16(void* p, void* out, int mode, uint32_t site) {
  note("load16", p, 16, 0, mode, site);
  std::memcpy(out, p, 16);
}

void __heddle_store16(void* p, const void* value, int mode, uint32_t site) {
  note("store16", p, 16, 0, mode, site);
  std::memcpy(p, value, 16);
}

void __heddle_rmw16(void* p, int op, const void* operand, void* old, int mode, uint32_t site) {
  note("rmw16", p, 16, 0, mode, site);
  const Value next = apply(static_cast<RmwOp>(op), read(p, 16), read(operand, 16), 16);
  std::memcpy(old, p, 16);
  std::memcpy(p, &next, 16);
}

uint64_t __heddle_cas16(void* p, const void* expected, const void* desired, void* old, int mode, int, int,
                        uint32_t site) {
  note("cas16", p, 16, 0, mode, site);
  const bool equal = std::memcmp(p, expected, 16) == 0;
  std::memcpy(old, p, 16);
  if (equal) std::memcpy(p, desired, 16);
  return equal;
}

void __heddle_fence(int mode, uint32_t site) { note("fence", nullptr, 0, 0, mode, site); }

#define HEDDLE_PLAIN(n)                                                                               \
  decltype(__heddle_plain_load##n(nullptr, 0)) __heddle_plain_load##n(const void* p, uint32_t site) { \
    note("plain_load", p, n, read(p, n).lo, 0, site);                                                 \
    return static_cast<decltype(__heddle_plain_load##n(nullptr, 0))>(read(p, n).lo);                  \
  }                                                                                                   \
  void __heddle_plain_store##n(void* p, uint64_t value, uint32_t site) {                              \
    note("plain_store", p, n, value, 0, site);                                                        \
    std::memcpy(p, &value, n);                                                                        \
  }
HEDDLE_PLAIN(1)
HEDDLE_PLAIN(2)
HEDDLE_PLAIN(4)
HEDDLE_PLAIN(8)
#undef HEDDLE_PLAIN

void __heddle_plain_load(const void* p, void* out, uint64_t size, uint32_t site) {
  note("plain_load", p, size, 0, 0, site);
  std::memcpy(out, p, size);
}

void __heddle_plain_store(void* p, const void* value, uint64_t size, uint32_t site) {
  note("plain_store", p, size, 0, 0, site);
  std::memcpy(p, value, size);
}

uint64_t __heddle_plain_peek(const void* p, int size, uint32_t site) {
  note("plain_peek", p, size, read(p, size).lo, 0, site);
  return read(p, size).lo;
}

void __heddle_memcpy(void* dst, const void* src, uint64_t size, uint32_t site) {
  note("memcpy", dst, size, 0, 0, site);
  std::memcpy(dst, src, size);
}

void __heddle_memmove(void* dst, const void* src, uint64_t size, uint32_t site) {
  note("memmove", dst, size, 0, 0, site);
  std::memmove(dst, src, size);
}

void __heddle_copy(void* dst, uint8_t* dst_init, const void* src, const uint8_t* src_init, uint64_t size,
                   uint32_t site) {
  note("copy", dst, size, 0, 0, site);
  std::memmove(dst, src, size);
  if (dst_init != nullptr && src_init != nullptr) std::memmove(dst_init, src_init, size);
  if (dst_init != nullptr && src_init == nullptr) std::memset(dst_init, 1, size);
}

void __heddle_memset(void* dst, int byte, uint64_t size, uint32_t site) {
  note("memset", dst, size, static_cast<uint64_t>(byte), 0, site);
  std::memset(dst, byte, size);
}

void* __heddle_local_begin(uint64_t size, uint64_t align, uint32_t site) {
  // Larger than asked, and filled with rubbish: no program may count on zeros.
  void* p = std::aligned_alloc(align < 16 ? 16 : align, (size + 63) / 64 * 64 + 64);
  std::memset(p, 0xaa, size);
  note("local_begin", p, size, 0, 0, site);
  return p;
}

void __heddle_local_end(void* p, uint32_t site) { note("local_end", p, 0, 0, 0, site); }

void* __heddle_tls() { return testing::tls_memory.data(); }

// Not among the calls: they do nothing.
void __heddle_order(const void*, const void*, uint32_t) { ++testing::watched["order"]; }
void __heddle_subtract(const void*, const void*, uint32_t) { ++testing::watched["subtract"]; }
void __heddle_inspect(uint64_t, uint32_t) { ++testing::watched["inspect"]; }
void __heddle_inspect_bytes(const void*, uint64_t, uint32_t) { ++testing::watched["inspect_bytes"]; }
void __heddle_inspect_place(const void*, uint64_t, uint32_t) { ++testing::watched["inspect_place"]; }
void __heddle_inspect_copy(const void*, const void*, uint64_t, uint32_t) { ++testing::watched["inspect_copy"]; }

static uint32_t latest_site = 0;
void __heddle_at(uint32_t site) {
  latest_site = site;
  note("at", nullptr, 0, 0, 0, site);
}
uint32_t __heddle_here(uint32_t site) { return latest_site == 0 ? site : latest_site; }

// Not among the calls.
void __heddle_until(int await, uint64_t expected, uint64_t events, uint64_t) {
  testing::awaited.push_back({Await(await), {expected, 0}, {}, events != kNoRound});
}
static std::vector<uint64_t> known;
void __heddle_know(uint64_t value) { known.push_back(value); }
void __heddle_compares(uint64_t) {}
void __heddle_until_holds(int await, int condition, uint64_t events, uint64_t) {
  const auto number = static_cast<uint32_t>(condition);
  const Condition::Compiled& function = testing::running->conditions.at(number - kComparisons);
  testing::awaited.push_back({Await(await), {}, {function.function, number, std::move(known)}, events != kNoRound});
  known.clear();
}
void __heddle_will_store(const void*, uint64_t, uint32_t) {}
void __heddle_anew(uint64_t, const void*, uint64_t, int) {}
Pair __heddle_round() { return {}; }
Pair __heddle_lap() { return {}; }
uint32_t __heddle_skip(uint64_t, uint64_t, uint32_t, uint32_t) { return testing::jumps; }
void __heddle_turn(uint64_t, uint64_t, uint32_t) { ++testing::watched["turn"]; }
void __heddle_change() {}
void __heddle_enter(const void*) {}
void __heddle_unchange(uint64_t) {}

void __heddle_spin(uint32_t site) { throw testing::Stopped{"spin", site}; }
uint64_t __heddle_again(uint64_t before, uint32_t) { return before; }
void __heddle_cut(uint32_t site) { throw testing::Stopped{"cut", site}; }
void __heddle_division(uint32_t site) { throw testing::Stopped{"division", site}; }
void __heddle_assumption(uint32_t site) { throw testing::Stopped{"assumption", site}; }
void __heddle_out_of_bounds(uint64_t, uint64_t, uint64_t, uint32_t site) {
  throw testing::Stopped{"out of bounds", site};
}
void __heddle_uninitialised(uint32_t site) { throw testing::Stopped{"uninitialised", site}; }
void __heddle_out_of_scope(uint32_t site) { throw testing::Stopped{"out of scope", site}; }
void __heddle_trap(uint32_t site) { throw testing::Stopped{"trap", site}; }

}  // namespace abi
}  // namespace heddle

#if defined(__SANITIZE_ADDRESS__)
// Programs under test leak.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif
