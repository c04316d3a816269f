// The same of the C++ library.
// $ heddle check unsupported_cxx.cpp -- -DTHREAD => exit 2, "is not supported: std::thread is not available yet; use pthread_create"
// $ heddle check unsupported_cxx.cpp -- -DCONDITION => exit 2, "is not supported: condition variables are not available yet"
// $ heddle check unsupported_cxx.cpp -- -DFILE_STREAM => exit 2, "is not supported: a test has no files"
// $ heddle check unsupported_cxx.cpp -- -DINPUT => exit 2, "'std::cin' is not supported"
// $ heddle check unsupported_cxx.cpp -- -DHANDLER => exit 2, "is not supported: what the handler would be told of is reported anyhow"
#include <condition_variable>
#include <exception>
#include <fstream>
#include <iostream>
#include <thread>

int main() {
#ifdef THREAD
  std::thread t([] {});
  t.join();
#elif defined CONDITION
  std::condition_variable c;
  c.notify_one();
#elif defined FILE_STREAM
  std::ofstream out("file");
  out << 1;
#elif defined INPUT
  int x = 0;
  std::cin >> x;
#elif defined HANDLER
  std::set_terminate([] {});
#endif
}
