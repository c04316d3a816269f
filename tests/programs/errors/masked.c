// Vectors under a mask: masked.ll has what C does not on every processor.
// $ heddle check masked.c masked.ll -- -DFIRST=1 => verified
// $ heddle check masked.c masked.ll -- -DFIRST=2 => error memory
#include <assert.h>

int second_of_three(int* p);
void store_second(int* p, int* q);

int main(void) {
  int a[4] = {1, 2, 3, 4};
  store_second(0, &a[2]);
  assert(a[2] == 7);
  assert(second_of_three(&a[FIRST]) == a[FIRST + 1]);
  return 0;
}
