// Input from streams of char. The templates are those of the headers; here is what libstdc++ keeps out of them.
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0  // templates are instantiated here, not taken from libstdc++.so

#include <cstdlib>
#include <iomanip>
#include <istream>
#include <limits>
#include <locale>

// As in streams.cpp.
extern "C" {
const std::ctype<char>* __heddle_classic_ctype();
const std::__numpunct_cache<char>* __heddle_classic_numpunct();
}

namespace std {

extern template class basic_ios<char>;  // in streams.cpp
extern template class basic_streambuf<char>;
extern template class basic_ostream<char>;
template <>
const ctype<char>& use_facet(const locale&);
template <>
struct __use_cache<__numpunct_cache<char>> {
  const __numpunct_cache<char>* operator()(const locale&) const { return __heddle_classic_numpunct(); }
};

namespace {

struct In final : num_get<char> {
  In() : num_get(1) {}
};

}  // namespace
}  // namespace std

// Made before the program's own objects.
extern "C" {
[[clang::no_destroy]] extern const std::In heddle_num_get __attribute__((init_priority(101)));
const std::In heddle_num_get;
}

namespace std {

// Numbers that num_get has collected. One that does not fit is the nearest that does, and an error.
namespace {

template <typename T>
void convert(const char* text, T& value, ios_base::iostate& error, T (*parse)(const char*, char**)) {
  char* end = nullptr;
  value = parse(text, &end);
  constexpr T kMost = numeric_limits<T>::max();
  if (end == text || *end != '\0') {
    value = 0;
    error = ios_base::failbit;
  } else if (value > kMost || value < -kMost) {
    value = value > 0 ? kMost : -kMost;
    error = ios_base::failbit;
  }
}

}  // namespace

template <>
void __convert_to_v(const char* text, float& value, ios_base::iostate& error, const __c_locale&) throw() {
  convert(text, value, error, strtof);
}
template <>
void __convert_to_v(const char* text, double& value, ios_base::iostate& error, const __c_locale&) throw() {
  convert(text, value, error, strtod);
}
template <>
void __convert_to_v(const char* text, long double& value, ios_base::iostate& error, const __c_locale&) throw() {
  convert(text, value, error, strtold);
}

// Input into strings and arrays, which libstdc++ does by itself for char. Takes characters while `wanted` says so;
// returns whether the end of the input was met.
namespace {

template <typename F>
bool take_while(istream& in, F wanted) {
  streambuf* const from = in.rdbuf();
  while (true) {
    const int c = from->sgetc();
    if (c == char_traits<char>::eof()) return true;
    if (!wanted(static_cast<char>(c))) return false;
    from->sbumpc();
  }
}

bool is_space(istream& in, char c) { return use_facet<ctype<char>>(in.getloc()).is(ctype_base::space, c); }

}  // namespace

template <>
istream& operator>>(istream& in, string& to) {
  istream::sentry ready(in, false);
  if (!ready) return in;
  to.erase();
  const size_t most = in.width() > 0 ? static_cast<size_t>(in.width()) : to.max_size();
  const bool end = take_while(in, [&](char c) {
    if (to.size() == most || is_space(in, c)) return false;
    to.push_back(c);
    return true;
  });
  in.width(0);
  const ios_base::iostate none = to.empty() ? ios_base::failbit : ios_base::goodbit;
  in.setstate(none | (end ? ios_base::eofbit : ios_base::goodbit));
  return in;
}

template <>
istream& getline(istream& in, string& to, char last) {
  istream::sentry ready(in, true);
  if (!ready) return in;
  to.erase();
  const bool end = take_while(in, [&](char c) {
    if (c == last) return false;
    to.push_back(c);
    return true;
  });
  if (!end) in.rdbuf()->sbumpc();
  in.setstate(end ? ios_base::eofbit | (to.empty() ? ios_base::failbit : ios_base::goodbit) : ios_base::goodbit);
  return in;
}

template <>
istream& istream::getline(char* to, streamsize n, char last) {
  _M_gcount = 0;
  streamsize put = 0;
  ios_base::iostate state = goodbit;
  sentry ready(*this, true);
  if (ready) {
    bool found = false;
    const bool end = take_while(*this, [&](char c) {
      found = c == last;
      if (found || put + 1 >= n) return false;
      to[put++] = c;
      return true;
    });
    _M_gcount = put;
    if (end) {
      state |= eofbit;
    } else if (found) {
      rdbuf()->sbumpc();
      ++_M_gcount;
    } else {
      state |= failbit;
    }
  }
  if (n > 0) to[put] = '\0';
  if (_M_gcount == 0) state |= failbit;
  setstate(state);
  return *this;
}

template <>
istream& istream::ignore(streamsize n, int_type last) {
  _M_gcount = 0;
  sentry ready(*this, true);
  if (!ready) return *this;
  const bool all = n == numeric_limits<streamsize>::max();
  bool found = false;
  const bool end = take_while(*this, [&](char c) {
    if (found || (!all && _M_gcount >= n)) return false;
    found = char_traits<char>::to_int_type(c) == last;
    ++_M_gcount;
    return true;
  });
  setstate(end && !found ? eofbit : goodbit);
  return *this;
}
template <>
istream& istream::ignore(streamsize n) {
  return ignore(n, char_traits<char>::eof());
}

template class basic_istream<char>;
template class basic_iostream<char>;

template istream& ws(istream&);
template istream& operator>>(istream&, char&);
template istream& operator>>(istream&, unsigned char&);
template istream& operator>>(istream&, signed char&);
template istream& operator>>(istream&, _Setw);
template istream& operator>>(istream&, _Setfill<char>);
template istream& operator>>(istream&, _Setprecision);
template istream& operator>>(istream&, _Setbase);
template istream& operator>>(istream&, _Setiosflags);
template istream& operator>>(istream&, _Resetiosflags);
template istream& getline(istream&, string&);
template istream& istream::_M_extract(unsigned short&);
template istream& istream::_M_extract(unsigned int&);
template istream& istream::_M_extract(long&);
template istream& istream::_M_extract(unsigned long&);
template istream& istream::_M_extract(bool&);
template istream& istream::_M_extract(long long&);
template istream& istream::_M_extract(unsigned long long&);
template istream& istream::_M_extract(float&);
template istream& istream::_M_extract(double&);
template istream& istream::_M_extract(long double&);
template istream& istream::_M_extract(void*&);

// At most n - 1 characters and a zero; the width of the stream may ask for less.
void __istream_extract(istream& in, char* to, streamsize n) {
  istream::sentry ready(in, false);
  if (!ready) return;
  const streamsize most = (in.width() > 0 && in.width() < n ? in.width() : n) - 1;
  streamsize got = 0;
  const bool end = take_while(in, [&](char c) {
    if (got >= most || is_space(in, c)) return false;
    to[got++] = c;
    return true;
  });
  to[got] = '\0';
  in.width(0);
  in.setstate((got == 0 ? ios_base::failbit : ios_base::goodbit) | (end ? ios_base::eofbit : ios_base::goodbit));
}

}  // namespace std
