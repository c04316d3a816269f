// Streams of char, with the one locale that there is, "C", and output. Their templates are those of the headers; here
// is what libstdc++ keeps out of them.
//
// std::cout and its like are objects of heddle's process (native/output.cpp). They work with the facets of the real
// locale; streams that the program makes have facets of their own, compiled with it.
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0  // templates are instantiated here, not taken from libstdc++.so

#include <cstdlib>
#include <iomanip>
#include <istream>
#include <limits>
#include <locale>
#include <ostream>
#include <sstream>

// Of std::locale::classic() in heddle's process, ready for use. (library/streams.cpp)
extern "C" {
std::locale::_Impl* __heddle_classic_locale();
const std::ctype<char>* __heddle_classic_ctype();
const std::__numpunct_cache<char>* __heddle_classic_numpunct();
}

namespace std {

template <>
const ctype<char>& use_facet(const locale&) {
  return *__heddle_classic_ctype();
}
template <>
bool has_facet<ctype<char>>(const locale&) throw() {
  return true;
}
template <>
struct __use_cache<__numpunct_cache<char>> {
  const __numpunct_cache<char>* operator()(const locale&) const { return __heddle_classic_numpunct(); }
};

// There is one locale, and it lasts: no references are counted.
locale::locale() throw() : _M_impl(__heddle_classic_locale()) {}
locale::locale(const locale& other) throw() : _M_impl(other._M_impl) {}
locale::~locale() throw() = default;
const locale& locale::operator=(const locale& other) throw() {
  _M_impl = other._M_impl;
  return *this;
}
bool locale::operator==(const locale& other) const throw() { return _M_impl == other._M_impl; }
string locale::name() const { return "C"; }
locale::facet::~facet() = default;

namespace {

struct Out final : num_put<char> {
  Out() : num_put(1) {}
};

}  // namespace
}  // namespace std

// One object each, made before the program's own. A part may be linked more than once: objects need outside names.
[[clang::no_destroy]] std::locale heddle_the_locale __attribute__((init_priority(101)));
[[clang::no_destroy]] const std::Out heddle_num_put __attribute__((init_priority(101)));
// Of input_streams.cpp; null in a program that has no input streams.
extern "C" __attribute__((weak)) const std::num_get<char> heddle_num_get;

namespace std {

const locale& locale::classic() { return heddle_the_locale; }

template <>
void basic_ios<char>::_M_cache_locale(const locale& loc) {
  _M_ctype = &use_facet<ctype<char>>(loc);
  _M_num_put = &heddle_num_put;
  _M_num_get = &heddle_num_get;
}

ios_base::ios_base() throw()
    : _M_precision(),
      _M_width(),
      _M_flags(),
      _M_exception(),
      _M_streambuf_state(),
      _M_callbacks(nullptr),
      _M_word_zero(),
      _M_word_size(_S_local_word_size),
      _M_word(_M_local_word),
      _M_ios_locale() {}

ios_base::~ios_base() {
  _M_call_callbacks(erase_event);
  _M_dispose_callbacks();
  if (_M_word != _M_local_word) delete[] _M_word;
}

void ios_base::_M_init() throw() {
  _M_precision = 6;
  _M_width = 0;
  _M_flags = skipws | dec;
  _M_ios_locale = locale();
}

locale ios_base::imbue(const locale& loc) throw() {
  const locale old = _M_ios_locale;
  _M_ios_locale = loc;
  _M_call_callbacks(imbue_event);
  return old;
}

void ios_base::register_callback(event_callback f, int index) {
  _M_callbacks = new _Callback_list(f, index, _M_callbacks);
}
void ios_base::_M_call_callbacks(event e) throw() {
  for (_Callback_list* c = _M_callbacks; c != nullptr; c = c->_M_next) c->_M_fn(e, *this, c->_M_index);
}
// A list may be shared: copyfmt counts its users. _M_remove_reference returns 0 for the last.
void ios_base::_M_dispose_callbacks() throw() {
  _Callback_list* c = _M_callbacks;
  while (c != nullptr && c->_M_remove_reference() == 0) {
    _Callback_list* const next = c->_M_next;
    delete c;
    c = next;
  }
  _M_callbacks = nullptr;
}

ios_base::_Words& ios_base::_M_grow_words(int index, bool) {
  constexpr int kMost = 1 << 20;
  if (index < 0 || index >= kMost) {
    _M_streambuf_state |= badbit;
    _M_word_zero = _Words();
    return _M_word_zero;
  }
  _Words* const words = new _Words[static_cast<size_t>(index) + 1];
  for (int i = 0; i < _M_word_size; ++i) words[i] = _M_word[i];
  if (_M_word != _M_local_word) delete[] _M_word;
  _M_word = words;
  _M_word_size = index + 1;
  return _M_word[index];
}

void ios_base::_M_move(ios_base& from) noexcept {
  _M_precision = from._M_precision;
  _M_width = from._M_width;
  _M_flags = from._M_flags;
  _M_exception = from._M_exception;
  _M_streambuf_state = from._M_streambuf_state;
  _M_callbacks = from._M_callbacks;
  from._M_callbacks = nullptr;
  if (_M_word != _M_local_word) delete[] _M_word;
  if (from._M_word == from._M_local_word) {
    _M_word = _M_local_word;
    for (int i = 0; i < _S_local_word_size; ++i) _M_local_word[i] = from._M_local_word[i];
  } else {
    _M_word = from._M_word;
    from._M_word = from._M_local_word;
  }
  _M_word_size = from._M_word_size;
  from._M_word_size = _S_local_word_size;
  for (_Words& w : from._M_local_word) w = _Words();
  _M_ios_locale = from._M_ios_locale;
}

void ios_base::_M_swap(ios_base& other) noexcept {
  swap(_M_precision, other._M_precision);
  swap(_M_width, other._M_width);
  swap(_M_flags, other._M_flags);
  swap(_M_exception, other._M_exception);
  swap(_M_streambuf_state, other._M_streambuf_state);
  swap(_M_callbacks, other._M_callbacks);
  swap(_M_local_word, other._M_local_word);
  swap(_M_word_size, other._M_word_size);
  swap(_M_word, other._M_word);
  if (_M_word == other._M_local_word) _M_word = _M_local_word;
  if (other._M_word == _M_local_word) other._M_word = other._M_local_word;
  swap(_M_ios_locale, other._M_ios_locale);
}

// Numbers. The characters that they are made of; the printf format that a stream asks for; groups of digits, which the
// "C" locale does not have.
const char* __num_base::_S_atoms_in = "-+xX0123456789abcdefABCDEF";
const char* __num_base::_S_atoms_out = "-+xX0123456789abcdef0123456789ABCDEF";

void __num_base::_S_format_float(const ios_base& stream, char* to, char length) throw() {
  const ios_base::fmtflags flags = stream.flags();
  const ios_base::fmtflags kind = flags & ios_base::floatfield;
  const bool upper = (flags & ios_base::uppercase) != 0;
  const bool hex = kind == (ios_base::fixed | ios_base::scientific);
  *to++ = '%';
  if (flags & ios_base::showpos) *to++ = '+';
  if (flags & ios_base::showpoint) *to++ = '#';
  if (!hex) {
    *to++ = '.';
    *to++ = '*';
  }
  if (length != '\0') *to++ = length;
  char letter = 'g';
  if (hex) letter = 'a';
  if (kind == ios_base::fixed) letter = 'f';
  if (kind == ios_base::scientific) letter = 'e';
  *to++ = upper && letter != 'f' ? static_cast<char>(letter - 'a' + 'A') : letter;
  *to = '\0';
}

bool __verify_grouping(const char*, size_t, const string&) throw() { return true; }

// All of one buffer to another.
template <>
streamsize __copy_streambufs_eof(streambuf* from, streambuf* to, bool& ended) {
  streamsize n = 0;
  for (int c = from->sgetc(); c != char_traits<char>::eof(); c = from->snextc()) {
    ended = to->sputc(static_cast<char>(c)) != char_traits<char>::eof();
    if (!ended) return n;
    ++n;
  }
  ended = true;
  return n;
}

template class basic_streambuf<char>;
template class basic_ios<char>;
template class basic_ostream<char>;

template ostream& endl(ostream&);
template ostream& ends(ostream&);
template ostream& flush(ostream&);
template ostream& operator<<(ostream&, char);
template ostream& operator<<(ostream&, signed char);
template ostream& operator<<(ostream&, unsigned char);
template ostream& operator<<(ostream&, const char*);
template ostream& operator<<(ostream&, const signed char*);
template ostream& operator<<(ostream&, const unsigned char*);
template ostream& __ostream_insert(ostream&, const char*, streamsize);
template ostream& operator<<(ostream&, const string&);
template ostream& operator<<(ostream&, _Setfill<char>);
template ostream& operator<<(ostream&, _Setw);
template ostream& operator<<(ostream&, _Setprecision);
template ostream& operator<<(ostream&, _Setbase);
template ostream& operator<<(ostream&, _Setiosflags);
template ostream& operator<<(ostream&, _Resetiosflags);
template ostream& ostream::_M_insert(long);
template ostream& ostream::_M_insert(unsigned long);
template ostream& ostream::_M_insert(bool);
template ostream& ostream::_M_insert(long long);
template ostream& ostream::_M_insert(unsigned long long);
template ostream& ostream::_M_insert(double);
template ostream& ostream::_M_insert(long double);
template ostream& ostream::_M_insert(const void*);

}  // namespace std
