// A loop of visible actions that nobody ends.
// $ heddle check endless_spin.c => incomplete, "endless loop"
#include <stdatomic.h>

int main(void) {
  atomic_int x = 0;
  while (!atomic_load(&x)) {
  }
  return 0;
}
