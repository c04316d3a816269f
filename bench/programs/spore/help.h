// Helping (sections 2.3 and 3.2): one thread's helped operation, and attempts of others to do it in its place. CAS is
// the compare-and-swap that does it; it returns whether it succeeded.
// Where help is left out, it has not succeeded.
#ifndef HELP_H
#define HELP_H

#include <heddle.h>

#define HELPED(CAS) heddle_helped(CAS)
#define HELPING(CAS) heddle_helping_cas(CAS)

#endif
