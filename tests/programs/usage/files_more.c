// The second file of files.c.
// $ heddle check files_more.c => exit 2, "main"
#include <stdatomic.h>

#ifndef STEP
#define STEP 1
#endif

extern atomic_int x;

void add_step(void) { atomic_fetch_add(&x, STEP); }
