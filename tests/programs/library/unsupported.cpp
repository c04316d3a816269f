// What heddle does not have of the standard library is refused by name.
// $ heddle check unsupported.cpp -- -DREGEX => exit 2, "is not supported"
// $ heddle check unsupported.cpp -- -DWIDE => exit 2, "is not supported"
// $ heddle check unsupported.cpp -- -DFILE_STREAM => exit 2, "is not supported"
// $ heddle check unsupported.cpp -- -DINPUT => exit 2, "std::cin' is not supported"
// $ heddle check unsupported.cpp -- -DLOCALE => exit 2, "unsupported.cpp:30: 'std::locale::locale(char const*)' is not supported"
// $ heddle check unsupported.cpp -- -DMISSING => exit 2, "call of undefined function 'missing()': define it in one of the files"
#include <fstream>
#include <iostream>
#include <locale>
#include <regex>

void missing();

int main() {
#ifdef REGEX
  return std::regex_match("a", std::regex("a*")) ? 0 : 1;
#endif
#ifdef WIDE
  std::wcout << 1;
#endif
#ifdef FILE_STREAM
  std::ofstream("file") << 1;
#endif
#ifdef INPUT
  int i;
  std::cin >> i;
#endif
#ifdef LOCALE
  std::locale german("de_DE");
#endif
#ifdef MISSING
  missing();
#endif
}
