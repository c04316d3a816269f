// Copies between memory that overlaps; onto itself is no matter, and memmove may.
// $ heddle check overlap.c -- -DUSE=memmove(b,b+1,4) => verified
// $ heddle check overlap.c -- -DUSE=memcpy(b,b,4) => verified
// $ heddle check overlap.c -- -DUSE=memcpy(b,b+4,4) => verified
// $ heddle check overlap.c -- -DUSE=memcpy(b,b+1,4) => error memory, "a copy of 4 bytes from b[1] to b[0], which overlap: use memmove"
// $ heddle check overlap.c -- -DUSE=memcpy(b+n,b,n+1) => error memory, "which overlap"
// $ heddle check overlap.c -- -DUSE=strcpy(b+1,b) => error memory, "which overlap"
// $ heddle check overlap.c -- -DUSE=strncpy(b+1,b,3) => error memory, "which overlap"
// $ heddle check overlap.c -- -DUSE=strcat(b,b+2) => error memory, "which overlap"
// $ heddle check overlap.c -- -DUSE=strncpy(b+4,b,4) => verified
#include <string.h>

char b[16] = "abcdefg";
volatile int n = 3;

int main(void) { USE; }
