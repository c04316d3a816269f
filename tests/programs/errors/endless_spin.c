// A loop of visible actions that nobody ends.
// $ heddle check endless_spin.c => incomplete, "too many visible actions"
#include <stdatomic.h>

int main(void) {
  atomic_int x = 0;
  while (!atomic_load(&x)) {
  }
  return 0;
}
