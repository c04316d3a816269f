// What is passed by value to a function that is always inlined is copied, not read: tags, lambdas, small structures.
// $ heddle check always_inline.cpp => verified
// $ heddle check always_inline.cpp -- -DREAD => error memory, "uninitialised"
// $ heddle check always_inline.cpp -- -DUNION => error memory, "uninitialised"
#include <type_traits>

#define INLINE [[gnu::always_inline]] inline

struct Pair {
  int a, b;
};
struct Derived : std::true_type {};

INLINE int tagged(int x, std::true_type) { return x; }
INLINE int derived(int x, Derived) { return x; }
template <class F>
INLINE int called(F f) {
  return f();
}
INLINE int get(Pair p, int which) { return which ? p.a : 0; }

union Either {
  int a;
  float b;
};
Either* seen;

int main(int argc, char**) {
  Pair p;
#ifdef UNION
  Either from, to;
  seen = &to;
  to.a = from.a;
  return seen->a;
#elif defined READ
  return get(p, argc);
#else
  return tagged(0, std::true_type()) + derived(0, Derived()) + called([] { return 0; }) + get(p, argc - 1);
#endif
}
