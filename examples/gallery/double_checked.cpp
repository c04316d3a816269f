// Double-checked locking: the first thread makes the object under a mutex, later ones find it without. Both looks at
// the pointer are atomic, but relaxed: a thread may find the pointer and not what it points to. With -DRIGHT the
// pointer is published by a release store and found by an acquire load.
//
// $ heddle check double_checked.cpp => error race here
// $ heddle check double_checked.cpp -- -DRIGHT => verified
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef RIGHT
constexpr auto find = std::memory_order_acquire, publish = std::memory_order_release;
#else
constexpr auto find = std::memory_order_relaxed, publish = std::memory_order_relaxed;
#endif

class Config {
 public:
  static Config& instance() {
    Config* config = instance_.load(find);
    if (!config) {
      std::lock_guard lock(mutex_);
      config = instance_.load(std::memory_order_relaxed);
      if (!config) {
        config = new Config;
        instance_.store(config, publish);
      }
    }
    return *config;
  }
  static void destroy() { delete instance_.load(); }

  int port() const { return port_; }  // here

 private:
  int port_ = 8080;
  static inline std::atomic<Config*> instance_;
  static inline std::mutex mutex_;
};

int main() {
  auto use = [] { assert(Config::instance().port() == 8080); };
  std::thread first(use), second(use);
  first.join();
  second.join();
  Config::destroy();
}
