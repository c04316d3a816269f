// A wild pointer is an error wherever it leads: the addresses of heddle's own tables are none of the program's.
// $ heddle check wild.c => error memory here
// $ heddle check wild.c -- -DADDRESS=0x380000000000 => error memory here
// $ heddle check wild.c -- -DADDRESS=0x5000000000 => error memory here
// $ heddle check wild.c -- -DADDRESS=0x10 => error memory here
// $ heddle check wild.c -- -DREADS => error memory, "access to the invalid address 0x310000000000"
// $ heddle check wild.c -- -DATOMIC => error memory, "access to the invalid address 0x310000000000"
// $ heddle check wild.c -- -DFILL => error memory, "access to the invalid address 0x310000000000"
#include <stdatomic.h>
#include <string.h>

#ifndef ADDRESS
#define ADDRESS 0x310000000000
#endif

int main(void) {
  int* volatile p = (int*)ADDRESS;
#ifdef READS
  return *p;
#elif defined ATOMIC
  atomic_fetch_add((atomic_int*)p, 1);
#elif defined FILL
  memset(p, 0, 64);
#else
  *p = 1;  // here
#endif
}
