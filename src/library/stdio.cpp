// Output. What the program prints is held back: an exploration runs it many times, and only the text of the reported
// execution is of interest. Formats are expanded by the C library itself; strings that it reads on the way are not
// checked.
#include <fmt/format.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"
#include "native/output.hpp"

namespace heddle::library {
namespace {

using output::print;

int print_formatted(const char* format, va_list arguments) {
  char small[512];
  va_list again;
  va_copy(again, arguments);
  const int n = std::vsnprintf(small, sizeof small, format, arguments);
  if (n >= 0 && static_cast<std::size_t>(n) < sizeof small) {
    print(small, static_cast<std::size_t>(n));
  } else if (n >= 0) {
    HostVector<char> large(static_cast<std::size_t>(n) + 1);
    std::vsnprintf(large.data(), large.size(), format, again);
    print(large.data(), static_cast<std::size_t>(n));
  }
  va_end(again);
  return n;
}

int printf_(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = print_formatted(format, arguments);
  va_end(arguments);
  return n;
}
int fprintf_(FILE*, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = print_formatted(format, arguments);
  va_end(arguments);
  return n;
}
int vprintf_(const char* format, va_list arguments) { return print_formatted(format, arguments); }
int vfprintf_(FILE*, const char* format, va_list arguments) { return print_formatted(format, arguments); }

// Into the program's memory: through a private buffer, so that the write is seen.
int format_into(char* to, std::size_t size, const char* format, va_list arguments) {
  char small[512];
  va_list again;
  va_copy(again, arguments);
  const int n = std::vsnprintf(small, sizeof small, format, arguments);
  const std::size_t used = n < 0 || size == 0 ? 0 : std::min(static_cast<std::size_t>(n), size - 1);
  if (used < sizeof small) {
    small[used] = '\0';
    if (size > 0) plain_write(address(to), small, used + 1);
  } else {
    HostVector<char> large(used + 1);
    std::vsnprintf(large.data(), large.size(), format, again);
    plain_write(address(to), large.data(), used + 1);
  }
  va_end(again);
  return n;
}
int snprintf_(char* to, std::size_t size, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = format_into(to, size, format, arguments);
  va_end(arguments);
  return n;
}
int sprintf_(char* to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = format_into(to, INT32_MAX, format, arguments);
  va_end(arguments);
  return n;
}
int vsnprintf_(char* to, std::size_t size, const char* format, va_list arguments) {
  return format_into(to, size, format, arguments);
}
int vsprintf_(char* to, const char* format, va_list arguments) { return format_into(to, INT32_MAX, format, arguments); }

// Strings are read with the program's own strlen, so that a bad one is found.
void print_string(const char* text) {
  for (;; ++text) {
    const auto c = static_cast<char>(abi::__heddle_plain_load1(text, static_cast<uint32_t>(rt.site)));
    if (c == '\0') return;
    print(&c, 1);
  }
}
int puts_(const char* text) {
  print_string(text);
  print("\n", 1);
  return 1;
}
int fputs_(const char* text, FILE*) {
  print_string(text);
  return 1;
}
int putchar_(int c) {
  const char text = static_cast<char>(c);
  print(&text, 1);
  return static_cast<unsigned char>(c);
}
int fputc_(int c, FILE*) { return putchar_(c); }
std::size_t fwrite_(const void* from, std::size_t size, std::size_t count, FILE*) {
  for (std::size_t i = 0; i < size * count; ++i)
    putchar_(static_cast<int>(
        abi::__heddle_plain_load1(static_cast<const char*>(from) + i, static_cast<uint32_t>(rt.site))));
  return count;
}
void perror_(const char* text) {
  if (text != nullptr && *text != '\0') {
    print_string(text);
    print(": ", 2);
  }
  const char* const reason = std::strerror(error_number());
  print(reason, std::strlen(reason));
  print("\n", 1);
}
int flush(FILE*) { return 0; }
int set_buffer(FILE*, char*, int, std::size_t) { return 0; }
void set_buffer_simply(FILE*, char*) {}

}  // namespace

std::span<const Row> stdio_functions() {
  static const Row table[] = {
      row("printf", printf_),
      row("fprintf", fprintf_),
      row("vprintf", vprintf_),
      row("vfprintf", vfprintf_),
      row("snprintf", snprintf_),
      row("sprintf", sprintf_),
      row("vsnprintf", vsnprintf_),
      row("vsprintf", vsprintf_),
      row("puts", puts_),
      row("fputs", fputs_),
      row("fputs_unlocked", fputs_),
      row("putchar", putchar_),
      row("putchar_unlocked", putchar_),
      row("fputc", fputc_),
      row("putc", fputc_),
      row("_IO_putc", fputc_),
      row("putc_unlocked", fputc_),
      row("fputc_unlocked", fputc_),
      row("fwrite", fwrite_),
      row("fwrite_unlocked", fwrite_),
      row("perror", perror_),
      row("fflush", flush),
      row("fflush_unlocked", flush),
      row("setvbuf", set_buffer),
      row("setbuf", set_buffer_simply),
  };
  return table;
}

}  // namespace heddle::library
