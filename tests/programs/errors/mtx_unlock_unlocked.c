// C11 has no answer for an unlock by a thread that does not hold the mutex, of whatever kind.
// $ heddle check mtx_unlock_unlocked.c -- -DKIND=mtx_plain => error mutex here, "does not hold"
// $ heddle check mtx_unlock_unlocked.c -- "-DKIND=mtx_plain | mtx_recursive" => error mutex here, "does not hold"
#include <threads.h>

int main(void) {
  mtx_t m;
  mtx_init(&m, KIND);
  mtx_lock(&m);
  mtx_unlock(&m);
  return mtx_unlock(&m);  // here
}
