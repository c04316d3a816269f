// Output. What the program prints is held back: an exploration runs it many times, and only the text of the reported
// execution is of interest. Formats are expanded by the C library itself; strings that it reads on the way are not
// checked.
#include <fmt/format.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <streambuf>

#include "machine/access.hpp"
#include "machine/models.hpp"

namespace heddle::models {
namespace {

constexpr std::size_t kOutputLimit = 1 << 20;  // of one execution; the rest is dropped

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
  const char* const reason = std::strerror(errno);
  print(reason, std::strlen(reason));
  print("\n", 1);
}
int flush(FILE*) { return 0; }
int set_buffer(FILE*, char*, int, std::size_t) { return 0; }
void set_buffer_simply(FILE*, char*) {}

// std::cout and its like: text printed on a fibre is the program's, any other is ours.
class Divider : public std::streambuf {
 public:
  explicit Divider(std::streambuf* ours) : ours_(ours) {}
  std::streambuf* ours() const { return ours_; }

 protected:
  int_type overflow(int_type c) override {
    if (rt.current == nullptr) return ours_->sputc(traits_type::to_char_type(c));
    if (!traits_type::eq_int_type(c, traits_type::eof())) putchar_(c);
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* text, std::streamsize n) override {
    if (rt.current == nullptr) return ours_->sputn(text, n);
    print(text, static_cast<std::size_t>(n));
    return n;
  }
  int sync() override { return rt.current == nullptr ? ours_->pubsync() : 0; }

 private:
  std::streambuf* ours_;
};

// One of the standard streams, with the state that it has at the start of an execution.
class Stream {
 public:
  explicit Stream(std::ostream& stream) : stream_(stream), divider_(stream.rdbuf()), state_(nullptr) {
    state_.copyfmt(stream);
    stream.rdbuf(&divider_);
  }
  ~Stream() { stream_.rdbuf(divider_.ours()); }
  void reset() {
    stream_.clear();
    stream_.copyfmt(state_);
  }

 private:
  std::ostream& stream_;
  Divider divider_;
  std::ios state_;
};

struct Streams {
  Stream out{std::cout}, error{std::cerr}, log{std::clog};
};
Streams* streams = nullptr;

}  // namespace

void print(const char* text, std::size_t size) {
  const std::size_t room = kOutputLimit - std::min(rt.output.size(), kOutputLimit);
  rt.output.insert(rt.output.end(), text, text + std::min(size, room));
}

void divert_streams(bool on) {
  if (on && streams == nullptr) {
    streams = new Streams;
  } else if (!on) {
    delete streams;
    streams = nullptr;
  }
}

void reset_streams() {
  if (streams == nullptr) return;
  streams->out.reset();
  streams->error.reset();
  streams->log.reset();
}

std::span<const Entry> stdio_functions() {
  static const Entry table[] = {
      entry("printf", printf_),
      entry("fprintf", fprintf_),
      entry("vprintf", vprintf_),
      entry("vfprintf", vfprintf_),
      entry("snprintf", snprintf_),
      entry("sprintf", sprintf_),
      entry("vsnprintf", vsnprintf_),
      entry("vsprintf", vsprintf_),
      entry("puts", puts_),
      entry("fputs", fputs_),
      entry("fputs_unlocked", fputs_),
      entry("putchar", putchar_),
      entry("putchar_unlocked", putchar_),
      entry("fputc", fputc_),
      entry("putc", fputc_),
      entry("_IO_putc", fputc_),
      entry("putc_unlocked", fputc_),
      entry("fputc_unlocked", fputc_),
      entry("fwrite", fwrite_),
      entry("fwrite_unlocked", fwrite_),
      entry("perror", perror_),
      entry("fflush", flush),
      entry("fflush_unlocked", flush),
      entry("setvbuf", set_buffer),
      entry("setbuf", set_buffer_simply),
  };
  return table;
}

}  // namespace heddle::models
