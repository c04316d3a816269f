// sscanf. The input and the format are read by checked accesses; the C library converts from private copies into
// private memory, from where checked accesses carry the results to the program.
#include <algorithm>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "library/checked.hpp"
#include "library/format.hpp"
#include "library/table.hpp"

namespace heddle::library {
namespace {

// What a conversion that assigns writes, and where.
struct Target {
  void* to = nullptr;
  std::size_t size = 0;     // of a number; 0: of a string, which ends with a zero
  bool characters = false;  // %c: `size` of them
  bool counts = false;      // %n: is not among the assignments that sscanf counts
  bool wide = false;
  HostVector<char> result;
};
constexpr std::size_t kMaxTargets = 16;

struct Scan {
  HostVector<char> input;
  HostVector<char> format;
  HostVector<Target> targets;
};
PerThread<Scan> scans;

std::size_t number_size(std::string_view length, char letter) {
  const bool real = std::strchr("aAeEfFgG", letter) != nullptr;
  if (letter == 'p') return sizeof(void*);
  if (length == "hh") return 1;
  if (length == "h") return 2;
  if (length == "L" && real) return sizeof(long double);
  if (length.empty()) return 4;
  return 8;
}

// The end of a set of characters "[…]" whose bracket is at `at`.
std::size_t set_end(const HostVector<char>& text, std::size_t at) {
  ++at;
  if (text[at] == '^') ++at;
  if (text[at] == ']') ++at;
  while (text[at] != '\0' && text[at] != ']') ++at;
  return at;
}

// Finds the conversions that assign. Returns false for a format that is none, or has what is not supported.
bool find_targets(Scan& scan) {
  const HostVector<char>& f = scan.format;
  scan.targets.clear();
  for (std::size_t at = 0; f[at] != '\0'; ++at) {
    if (f[at] != '%') continue;
    if (f[++at] == '%') continue;
    const bool drops = f[at] == '*';
    if (drops) ++at;
    std::size_t width = 0;
    for (; f[at] >= '0' && f[at] <= '9'; ++at)
      width = std::min<std::size_t>(width * 10 + static_cast<std::size_t>(f[at] - '0'), INT_MAX);
    if (f[at] == '$') refuse("numbered arguments of sscanf are not supported");
    if (f[at] == 'm') refuse("%m of sscanf is not supported: use a buffer and a width");
    const std::size_t start = at;
    while (f[at] != '\0' && std::strchr("hlLqjzt", f[at]) != nullptr) ++at;
    const std::string_view length(&f[start], at - start);
    const char letter = f[at];
    if (letter == '\0' || std::strchr("diouxXaAeEfFgGpnsScC[", letter) == nullptr) return false;
    if (letter == '[') at = set_end(f, at);
    if (f[at] == '\0') return false;
    if (drops) continue;
    Target t;
    t.wide = length == "l" && (letter == 's' || letter == 'c' || letter == '[');
    t.wide |= letter == 'S' || letter == 'C';
    const std::size_t unit = t.wide ? sizeof(wchar_t) : 1;
    t.characters = letter == 'c' || letter == 'C';
    t.counts = letter == 'n';
    const bool text = letter == 's' || letter == 'S' || letter == '[';
    t.size = t.characters ? std::max<std::size_t>(width, 1) * unit : text ? 0 : number_size(length, letter);
    t.result.resize(text ? (scan.input.size() + 1) * unit : std::max<std::size_t>(t.size, 16));
    scan.targets.push_back(std::move(t));
  }
  return true;
}

// A count that was never stored keeps this.
constexpr int64_t kUnset = -1;

int run(Scan& scan) {
  HEDDLE_ASSERT(scan.targets.size() <= kMaxTargets);
  void* out[kMaxTargets] = {};
  for (std::size_t i = 0; i < scan.targets.size(); ++i) {
    Target& t = scan.targets[i];
    out[i] = t.result.data();
    if (t.counts) std::memcpy(t.result.data(), &kUnset, sizeof kUnset);
  }
  return std::sscanf(scan.input.data(), scan.format.data(), out[0], out[1], out[2], out[3], out[4], out[5], out[6],
                     out[7], out[8], out[9], out[10], out[11], out[12], out[13], out[14], out[15]);
}

void deliver(const Target& t) {
  std::size_t n = t.size;
  if (n == 0)
    n = t.wide ? (std::wcslen(reinterpret_cast<const wchar_t*>(t.result.data())) + 1) * sizeof(wchar_t)
               : std::strlen(t.result.data()) + 1;
  HEDDLE_ASSERT(n <= t.result.size());
  plain_write(address(t.to), t.result.data(), n);
}

int scan_string(const char* input, const char* format, va_list arguments) {
  const Pinned pinned;
  Scan& scan = scans[rt.current->id];
  copy_string(input, kNoLimit, scan.input);
  copy_string(format, kNoLimit, scan.format);
  if (!find_targets(scan)) return 0;
  if (scan.targets.size() > kMaxTargets) refuse("sscanf with more than 16 conversions is not supported");
  va_list list;
  va_copy(list, arguments);
  for (Target& t : scan.targets) t.to = va_arg(list, void*);
  va_end(list);
  const int assigned = run(scan);
  int left = std::max(assigned, 0);
  for (const Target& t : scan.targets) {
    if (t.counts) {
      if (std::memcmp(t.result.data(), &kUnset, t.size) != 0) deliver(t);
    } else if (left > 0) {
      --left;
      deliver(t);
    }
  }
  return assigned;
}

int sscanf_(const char* input, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = scan_string(input, format, arguments);
  va_end(arguments);
  return n;
}
int vsscanf_(const char* input, const char* format, const void* list) {
  return scan_string(input, format, Arguments(list).list);
}

}  // namespace

std::span<const Row> scan_functions() {
  static const Row table[] = {
      row("sscanf", sscanf_),   row("__isoc99_sscanf", sscanf_),   row("__isoc23_sscanf", sscanf_),
      row("vsscanf", vsscanf_), row("__isoc99_vsscanf", vsscanf_), row("__isoc23_vsscanf", vsscanf_),
  };
  return table;
}

}  // namespace heddle::library
