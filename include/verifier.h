/* verifier.h: the functions that SV-COMP programs declare for themselves. Including this file is never necessary. */
#ifndef HEDDLE_VERIFIER_H
#define HEDDLE_VERIFIER_H

#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif

/* As heddle_assume. */
void __VERIFIER_assume(bool condition);

/* An error if it is reached. */
void __VERIFIER_error(void);
void reach_error(void);

/* What one thread does between the two, no other thread's such section can interrupt. Sections may be nested. */
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

/* Either value: heddle tries both. */
bool __VERIFIER_nondet_bool(void);

/* With --nondet N, any of 0, 1, ..., N-1: heddle tries every one. Refused otherwise: there are too many. */
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);

#ifdef __cplusplus
}
#endif

#endif /* HEDDLE_VERIFIER_H */
