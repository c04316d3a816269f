#include "native/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <streambuf>

#include "native/access.hpp"

namespace heddle::output {

State state;

namespace {

constexpr std::size_t kLimit = 1 << 20;  // of one execution

// std::cout and its like: text printed on a fibre is the program's, any other is ours.
class Divider : public std::streambuf {
 public:
  explicit Divider(std::streambuf* ours) : ours_(ours) {}
  std::streambuf* ours() const { return ours_; }

 protected:
  int_type overflow(int_type c) override {
    if (rt.current == nullptr) return ours_->sputc(traits_type::to_char_type(c));
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      const char text = traits_type::to_char_type(c);
      print(&text, 1);
    }
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* text, std::streamsize n) override {
    if (rt.current == nullptr) return ours_->sputn(text, n);
    // The text may be memory of the program.
    for (std::streamsize done = 0; done < n;) {
      char piece[256];
      const auto size = static_cast<std::size_t>(std::min<std::streamsize>(n - done, sizeof piece));
      plain_read(address(text + done), piece, size);
      print(piece, size);
      done += static_cast<std::streamsize>(size);
    }
    return n;
  }
  int sync() override { return rt.current == nullptr ? ours_->pubsync() : 0; }

 private:
  std::streambuf* ours_;
};

// What a stream keeps for the program beside its format: words, callbacks. They are memory of the program, which ends
// with the execution: nothing is freed, and no callback is called.
struct Insides : std::ios_base {
  static constexpr std::size_t kWords = 2 * _S_local_word_size;

  static undo::Word* words(std::ios_base& s) { return reinterpret_cast<undo::Word*>(s.*&Insides::_M_local_word); }
  static bool are_small(std::ios_base& s) {
    return s.*&Insides::_M_callbacks == nullptr && s.*&Insides::_M_word == s.*&Insides::_M_local_word;
  }
  static void make_small(std::ios_base& s) {
    s.*& Insides::_M_callbacks = nullptr;
    s.*& Insides::_M_word = s.*&Insides::_M_local_word;
    s.*& Insides::_M_word_size = _S_local_word_size;
  }
};

// One of the standard streams, with the state that it has at the start of an execution.
class Stream {
 public:
  explicit Stream(std::ostream& stream) : stream_(stream), divider_(stream.rdbuf()), state_(nullptr) {
    state_.copyfmt(stream);
    stream.rdbuf(&divider_);
  }
  ~Stream() {
    reset();
    stream_.rdbuf(divider_.ours());
  }
  void reset() {
    Insides::make_small(stream_);
    stream_.exceptions(std::ios::goodbit);
    stream_.rdbuf(&divider_);  // and the state is good
    stream_.copyfmt(state_);
  }
  void keep() {
    undo::Word* const at = undo::keep_words(
        [](const undo::Word* words, std::size_t) {
          std::ostream& stream = *reinterpret_cast<std::ostream*>(words[0]);
          stream.flags(std::ios::fmtflags(static_cast<int>(words[1])));
          stream.precision(static_cast<std::streamsize>(words[2]));
          stream.width(static_cast<std::streamsize>(words[3]));
          stream.fill(static_cast<char>(words[4]));
          stream.exceptions(std::ios::goodbit);
          stream.rdbuf(reinterpret_cast<std::streambuf*>(words[7]));
          stream.clear(std::ios::iostate(static_cast<int>(words[5])));
          stream.tie(reinterpret_cast<std::ostream*>(words[6]));
          Insides::make_small(stream);
          std::copy_n(words + kFormat, Insides::kWords, Insides::words(stream));
        },
        kFormat + Insides::kWords);
    if (at == nullptr) return;
    at[0] = reinterpret_cast<undo::Word>(&stream_);
    at[1] = static_cast<undo::Word>(stream_.flags());
    at[2] = static_cast<undo::Word>(stream_.precision());
    at[3] = static_cast<undo::Word>(stream_.width());
    at[4] = static_cast<undo::Word>(stream_.fill());
    at[5] = static_cast<undo::Word>(stream_.rdstate());
    at[6] = reinterpret_cast<undo::Word>(stream_.tie());
    at[7] = reinterpret_cast<undo::Word>(stream_.rdbuf());
    std::copy_n(Insides::words(stream_), Insides::kWords, at + kFormat);
    if (stream_.exceptions() != std::ios::goodbit || !Insides::are_small(stream_)) undo::forget();
  }

 private:
  static constexpr std::size_t kFormat = 8;

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
  undo::keep_size(state.text);
  undo::keep(state.left_out);
  const std::size_t room = kLimit - std::min(state.text.size(), kLimit);
  state.text.insert(state.text.end(), text, text + std::min(size, room));
  state.left_out += size - std::min(size, room);
  HEDDLE_ASSERT(state.text.size() <= kLimit && (state.left_out == 0 || state.text.size() == kLimit));
}

std::string shown() {
  std::string text(state.text.begin(), state.text.end());
  if (state.left_out != 0)
    text += fmt::format("\n[heddle: {} more bytes were printed; only the first MiB is kept]\n", state.left_out);
  return text;
}

void begin(bool standard_streams) {
  if (standard_streams && streams == nullptr) streams = new Streams;
}

void end() {
  delete streams;
  streams = nullptr;
}

void keep_formats() {
  if (streams == nullptr) [[likely]]
    return;
  streams->out.keep();
  streams->error.keep();
  streams->log.keep();
}

void reset() {
  state.text.clear();
  state.left_out = 0;
  if (streams == nullptr) return;
  streams->out.reset();
  streams->error.reset();
  streams->log.reset();
}

}  // namespace heddle::output
