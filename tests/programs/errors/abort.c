// $ heddle check abort.c => error crash here
#include <stdlib.h>

int main(void) {
  abort();  // here
}
