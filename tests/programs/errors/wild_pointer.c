// A write to an address that is nobody's.
// $ heddle check wild_pointer.c => error memory here
#include <heddle.h>

int main(void) {
  int* p = (int*)(0x123450000 + 8l * heddle_choose(2));
  *p = 1;  // here
  return 0;
}
