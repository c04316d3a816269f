// Semaphores: one place, handed to and fro. More than a semaphore can count, and a lost release.
// $ heddle check semaphore.cpp -- -std=c++20 => verified
// $ heddle check --model sc semaphore.cpp -- -std=c++20 => verified
// $ heddle check --model tso semaphore.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc semaphore.cpp -- -std=c++20 => verified
// $ heddle check semaphore.cpp -- -std=c++20 -DLOST => error deadlock
// $ heddle check --model sc semaphore.cpp -- -std=c++20 -DLOST => error deadlock
// $ heddle check --algorithm await --model sc semaphore.cpp -- -std=c++20 -DLOST => error deadlock
// $ heddle check semaphore.cpp -- -std=c++20 -DTOO_MANY => error mutex, "released to 2"
// $ heddle check --model sc semaphore.cpp -- -std=c++20 -DTOO_MANY => error mutex, "released to 2"
// $ heddle check --algorithm await --model sc semaphore.cpp -- -std=c++20 -DTOO_MANY => error mutex, "released to 2"
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

std::binary_semaphore full(0), empty(1);
int place;

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 2; ++i) {
      empty.acquire();
      place = i;
      full.release();
#ifdef TOO_MANY
      full.release();
#endif
    }
  });
  for (int i = 1; i <= 2; ++i) {
    full.acquire();
#ifndef TOO_MANY
    assert(place == i);
#endif
#ifndef LOST
    empty.release();
#endif
  }
  producer.join();
  std::counting_semaphore<3> three(2);
  assert(three.try_acquire() && three.try_acquire_for(std::chrono::seconds(1)) && !three.try_acquire());
  three.release(2);
}
