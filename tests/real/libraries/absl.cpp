// A mutex of Abseil. It is in its library, and Debian has no sources of it: what is missing is named, with what to do.
// needs: absl/synchronization/mutex.h
// $ heddle check absl.cpp -- -std=c++17 => exit 2, "Mutex::Lock()': Abseil is precompiled: pass its sources"
// $ heddle check absl.cpp -- -std=c++17 -labsl_synchronization => exit 2, "Mutex::Unlock()': Abseil is precompiled"
#include <absl/synchronization/mutex.h>

#include <cassert>
#include <thread>

absl::Mutex mutex;
int counter;

void add() {
  absl::MutexLock lock(&mutex);
  ++counter;
}

int main() {
  std::thread other(add);
  add();
  other.join();
  assert(counter == 2);
}
