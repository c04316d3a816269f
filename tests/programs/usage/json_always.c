// --format json prints one object whatever happens.
// $ heddle check --format json json_always.c -- -DSYNTAX=( => exit 2, ""verdict": "failed""
// $ heddle check --format json json_always.c nothing_here.c => exit 2, ""message": "nothing_here.c: no such file""
// $ heddle check --unroll many --format json json_always.c => exit 2, ""verdict": "failed""
// $ heddle check --format=json --frobnicate json_always.c => exit 2, ""message": "unknown option --frobnicate"
// $ heddle chek --format json => exit 2, ""verdict": "failed""
// $ heddle litmus --format json nothing_here.litmus => exit 2, ""message": "nothing_here.litmus: no such file""
// $ heddle check --format json json_always.c -- -m32 => exit 2, ""verdict": "failed""
#ifndef SYNTAX
#define SYNTAX
#endif
int main(void) { return 0 SYNTAX; }
