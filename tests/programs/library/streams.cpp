// Streams into and out of strings are compiled with the program. What goes to std::cout is held back.
// $ heddle check streams.cpp => verified, 1 executions
// $ heddle check streams.cpp -- -DRACE => error race here
// $ heddle check streams.cpp -- -DCOUT => error race here
// $ heddle check streams.cpp -- -DFREED => error memory here
#include <pthread.h>

#include <cassert>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

static std::ostringstream shared;
static std::string word = "a longer text that is on the heap";

static void* write(void*) {
  shared << 1;  // here
  word[3] = 'x';
  return nullptr;
}

template <typename... T>
std::string printed(const T&... values) {
  std::ostringstream out;
  (out << ... << values);
  return out.str();
}

int main() {
  std::cout << "hello " << 42 << ' ' << 1.5 << ' ' << word << std::endl;
  assert(printed(1, ' ', -2L, ' ', 3u, ' ', true, ' ', 'c', ' ', "text") == "1 -2 3 1 c text");
  assert(printed(1.5, ' ', 1e100, ' ', 0.1f, ' ', 2.5L) == "1.5 1e+100 0.1 2.5");
  assert(printed(std::hex, 255, ' ', std::showbase, 255, ' ', std::oct, 8, std::dec) == "ff 0xff 010");
  assert(printed(std::setw(5), 42, '|', std::left, std::setw(5), "ab", '|', std::setfill('0'), std::right, std::setw(4), 7) ==
         "   42|ab   |0007");
  assert(printed(std::fixed, std::setprecision(2), 3.14159, ' ', std::scientific, 12345.678) == "3.14 1.23e+04");
  assert(printed(std::boolalpha, true, false, ' ', std::showpos, 5) == "truefalse +5");
  assert(printed(static_cast<void*>(nullptr)) == "0");

  std::istringstream in("12 0x1f abc 2.5 true z  rest of\nthe line\n");
  int i = 0, x = 0;
  std::string s;
  double d = 0;
  bool b = false;
  char c = 0;
  in >> i >> std::hex >> x >> std::dec >> s >> d >> std::boolalpha >> b >> c;
  assert(in && i == 12 && x == 31 && s == "abc" && d == 2.5 && b && c == 'z');
  std::getline(in >> std::ws, s);
  assert(s == "rest of");
  char line[16];
  in.getline(line, sizeof line);
  assert(std::string(line) == "the line" && in.gcount() == 9);
  assert(!(in >> i) && in.eof() && i == 12);
  std::stringstream both;
  both << "7;8" << std::flush;
  both >> i;
  both.ignore(1);
  both >> x;
  assert(i == 7 && x == 8 && both.eof());
  std::istringstream bad("x");
  assert(!(bad >> i) && i == 0 && bad.fail());
  std::istringstream big("99999999999");
  assert(!(big >> i) && i == 2147483647);
  std::ostringstream moved = std::move(both) ? std::ostringstream("m") : std::ostringstream();
  assert(moved.str() == "m");
  in.exceptions(std::ios::goodbit);
  bool thrown = false;
  try {
    in.clear();
    in.exceptions(std::ios::failbit);
    in >> i;
  } catch (const std::ios_base::failure& e) {
    thrown = std::string(e.what()).find("basic_ios::clear") == 0;
  }
  assert(thrown);
#if defined RACE || defined COUT
  pthread_t t;
  pthread_create(&t, nullptr, write, nullptr);
#ifdef RACE
  shared << "text";  // here
#else
  std::cout << word;  // here
#endif
  pthread_join(t, nullptr);
#endif
#ifdef FREED
  auto* const gone = new std::ostringstream;
  delete gone;
  *gone << "text";  // here
#endif
  return 0;
}
