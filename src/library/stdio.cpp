// Output. What the program prints is held back: an exploration runs it many times, and only the text of the reported
// execution is of interest.
#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "library/checked.hpp"
#include "library/format.hpp"
#include "library/state.hpp"
#include "library/table.hpp"
#include "native/access.hpp"
#include "native/output.hpp"

namespace heddle::library {
namespace {

using output::print;

// There are two that the program can have.
void check_stream(const FILE* stream) {
  if (stream == stdout || stream == stderr) return;
  get_byte(stream, 0);  // says what is wrong with the pointer itself
  fail(ErrorKind::memory, "a stream that is neither stdout nor stderr");
}

int print_formatted(const char* text, va_list arguments) {
  const Pinned pinned;
  const auto formatted = format(text, arguments);
  if (!formatted) return -1;
  print(formatted->data(), formatted->size());
  return static_cast<int>(formatted->size());
}

int printf_(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = print_formatted(format, arguments);
  va_end(arguments);
  return n;
}
int fprintf_(FILE* stream, const char* format, ...) {
  check_stream(stream);
  va_list arguments;
  va_start(arguments, format);
  const int n = print_formatted(format, arguments);
  va_end(arguments);
  return n;
}
int vprintf_(const char* format, const void* list) { return print_formatted(format, Arguments(list).list); }
int vfprintf_(FILE* stream, const char* format, const void* list) {
  check_stream(stream);
  return print_formatted(format, Arguments(list).list);
}

// Into the program's memory, of which `size` bytes may be written.
int format_into(char* to, std::size_t size, const char* text, va_list arguments) {
  const Pinned pinned;
  const auto formatted = format(text, arguments);
  if (!formatted) return -1;
  if (size > 0) {
    const std::size_t used = std::min(formatted->size(), size - 1);
    plain_write(address(to), formatted->data(), used);
    put_byte(to, used, 0);
  }
  return static_cast<int>(formatted->size());
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
  const int n = format_into(to, kNoLimit, format, arguments);
  va_end(arguments);
  return n;
}
int vsnprintf_(char* to, std::size_t size, const char* format, const void* list) {
  return format_into(to, size, format, Arguments(list).list);
}
int vsprintf_(char* to, const char* format, const void* list) {
  return format_into(to, kNoLimit, format, Arguments(list).list);
}

// Into memory that is allocated for it.
int format_anew(char** to, const char* text, va_list arguments) {
  const Pinned pinned;
  const auto formatted = format(text, arguments);
  if (!formatted) return -1;
  auto* const fresh = static_cast<char*>(heap::allocate(formatted->size() + 1, 16, BlockKind::malloc, false));
  plain_write(address(fresh), formatted->data(), formatted->size());
  put_byte(fresh, formatted->size(), 0);
  plain_put(to, fresh);
  return static_cast<int>(formatted->size());
}
int asprintf_(char** to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = format_anew(to, format, arguments);
  va_end(arguments);
  return n;
}
int vasprintf_(char** to, const char* format, const void* list) {
  return format_anew(to, format, Arguments(list).list);
}

// Strings are read byte by byte, so that a bad one is found.
void print_string(const char* text) {
  const char* const copy = copy_string(text);
  print(copy, std::strlen(copy));
}
int puts_(const char* text) {
  print_string(text);
  print("\n", 1);
  return 1;
}
int fputs_(const char* text, FILE* stream) {
  check_stream(stream);
  print_string(text);
  return 1;
}
int putchar_(int c) {
  const char text = static_cast<char>(c);
  print(&text, 1);
  return static_cast<unsigned char>(c);
}
int fputc_(int c, FILE* stream) {
  check_stream(stream);
  return putchar_(c);
}
std::size_t fwrite_(const void* from, std::size_t size, std::size_t count, FILE* stream) {
  check_stream(stream);
  for (std::size_t i = 0; i < size * count; ++i) putchar_(get_byte(from, i));
  return count;
}
void perror_(const char* text) {
  if (text != nullptr && get_byte(text, 0) != '\0') {
    print_string(text);
    print(": ", 2);
  }
  const char* const reason = std::strerror(error_number());
  print(reason, std::strlen(reason));
  print("\n", 1);
}
int flush(FILE* stream) {
  if (stream != nullptr) check_stream(stream);
  return 0;
}
int set_buffer(FILE* stream, char*, int, std::size_t) {
  check_stream(stream);
  return 0;
}
void set_buffer_simply(FILE* stream, char*) { check_stream(stream); }

}  // namespace

std::span<const Row> stdio_functions() {
  static const Row table[] = {
      row("printf", printf_, kNoSideEffects),
      row("fprintf", fprintf_, kNoSideEffects),
      row("vprintf", vprintf_, kNoSideEffects),
      row("vfprintf", vfprintf_, kNoSideEffects),
      row("snprintf", snprintf_, kNoSideEffects),
      row("sprintf", sprintf_, kNoSideEffects),
      row("vsnprintf", vsnprintf_, kNoSideEffects),
      row("vsprintf", vsprintf_, kNoSideEffects),
      row("asprintf", asprintf_),
      row("vasprintf", vasprintf_),
      row("puts", puts_, kNoSideEffects),
      row("fputs", fputs_, kNoSideEffects),
      row("fputs_unlocked", fputs_, kNoSideEffects),
      row("putchar", putchar_, kNoSideEffects),
      row("putchar_unlocked", putchar_, kNoSideEffects),
      row("fputc", fputc_, kNoSideEffects),
      row("putc", fputc_, kNoSideEffects),
      row("_IO_putc", fputc_, kNoSideEffects),
      row("putc_unlocked", fputc_, kNoSideEffects),
      row("fputc_unlocked", fputc_, kNoSideEffects),
      row("fwrite", fwrite_, kNoSideEffects),
      row("fwrite_unlocked", fwrite_, kNoSideEffects),
      row("perror", perror_, kNoSideEffects),
      row("fflush", flush, kNoSideEffects),
      row("fflush_unlocked", flush, kNoSideEffects),
      row("setvbuf", set_buffer, kNoSideEffects),
      row("setbuf", set_buffer_simply, kNoSideEffects),
  };
  return table;
}

}  // namespace heddle::library
