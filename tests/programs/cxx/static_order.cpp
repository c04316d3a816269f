// Objects that functions build on their first call are destroyed in the reverse order, whichever threads have built them.
// Here the service uses the log until its end.
// $ heddle check static_order.cpp => error memory
// $ heddle check static_order.cpp --algorithm rcmc => error memory
// $ heddle check static_order.cpp --model sc --algorithm await => error memory
// $ heddle check static_order.cpp --model sc --algorithm rvf => error memory
// A service that uses the log from its beginning is destroyed first.
// $ heddle check static_order.cpp -- -DRIGHT => verified, 1 executions
// $ heddle check static_order.cpp --model sc --algorithm await -- -DRIGHT => verified, 1 executions
// Two threads at once.
// $ heddle check static_order.cpp -- -DAT_ONCE => error memory
// $ heddle check static_order.cpp -- -DAT_ONCE -DRIGHT => verified
#include <thread>

struct Log {
  int* lines = new int(0);
  ~Log() {
    delete lines;
    lines = nullptr;
  }
  void write() { *lines = 1; }
};
static Log& the_log() {
  static Log log;
  return log;
}

struct Service {
  Service() {
#ifdef RIGHT
    the_log();
#endif
  }
  ~Service() { the_log().write(); }
  void use() {}
};
static Service& the_service() {
  static Service service;
  return service;
}

int main() {
  std::thread t([] { the_service().use(); });
#ifndef AT_ONCE
  t.join();
  the_log().write();
#else
  the_log();
  t.join();
#endif
}
