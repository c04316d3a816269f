// lastzero0(N): the seeking thread is started first. See lastzero.h.
#include "lastzero.h"

int main(void) {
  start_seek();
  start_updates();
  join_all();
  return 0;
}
