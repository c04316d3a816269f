// The same of the C++ library.
// $ heddle check unsupported_cxx.cpp -- -DFILE_STREAM => exit 2, "is not supported: a test has no files"
// $ heddle check unsupported_cxx.cpp -- -DINPUT => exit 2, "'std::cin' is not supported"
// $ heddle check unsupported_cxx.cpp -- -DHANDLER => exit 2, "is not supported: what the handler would be told of is reported anyhow"
#include <exception>
#include <fstream>
#include <iostream>

int main() {
#ifdef FILE_STREAM
  std::ofstream out("file");
  out << 1;
#elif defined INPUT
  int x = 0;
  std::cin >> x;
#elif defined HANDLER
  std::set_terminate([] {});
#endif
}
