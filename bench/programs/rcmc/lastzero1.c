// lastzero1(N): the seeking thread is started last. See lastzero.h.
#include "lastzero.h"

int main(void) {
  start_updates();
  start_seek();
  join_all();
  return 0;
}
