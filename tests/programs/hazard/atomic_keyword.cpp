// In C++ the location may be an _Atomic too, as clang allows.
// $ heddle check atomic_keyword.cpp => verified, 1 executions
#include <genmc.h>

static _Atomic(int*) location;
static __VERIFIER_hp_t hp;

int main() {
  location = new int(1);
  int* const p = __VERIFIER_hp_protect(&hp, &location);
  __VERIFIER_hp_retire(p);
  *p += 1;
  heddle_assert(*p == 2);
  __VERIFIER_hp_clear(&hp);
  return 0;
}
