// dynamic_cast reads the object like the program does, and finds what the standard says.
// $ heddle check casts.cpp => verified, 1 executions
// $ heddle check casts.cpp -- -DFREED => error memory here
// $ heddle check casts.cpp -- -DRACE => error race here
#include <pthread.h>

#include <cassert>
#include <new>
#include <typeinfo>

struct A {
  virtual ~A() {}
  int a = 1;
};
struct B : A {
  int b = 2;
};
struct C : A {
  int c = 3;
};
struct D : B, C {  // two As
  int d = 4;
};
struct V1 : virtual A {
  int v1 = 5;
};
struct V2 : virtual A {
  int v2 = 6;
};
struct W : V1, V2 {  // one A
  int w = 7;
};
struct Secret : private A, public V2 {};
struct Other {
  virtual ~Other() {}
};
struct Mixed : W, private Other {};
struct Twice : D, W {};

static A* shared;
static void* change(void*) {
  new (shared) B;
  return nullptr;
}

int main() {
  D d;
  A* const a = static_cast<B*>(&d);
  assert(dynamic_cast<B*>(a) == &d);
  assert(dynamic_cast<C*>(a) == static_cast<C*>(&d));  // across
  assert(dynamic_cast<D*>(a) == &d);
  assert(dynamic_cast<void*>(a) == &d);
  assert(dynamic_cast<Other*>(a) == nullptr);
  assert(dynamic_cast<W*>(a) == nullptr);
  W w;
  A* const va = &w;
  assert(dynamic_cast<V1*>(va) == &w && dynamic_cast<V2*>(va) == static_cast<V2*>(&w) && dynamic_cast<W*>(va) == &w);
  V1* const v1 = &w;
  assert(dynamic_cast<V2*>(v1) == static_cast<V2*>(&w));
  Mixed m;
  V1* const mixed = &m;
  assert(dynamic_cast<Other*>(mixed) == nullptr);  // not public
  assert(dynamic_cast<Mixed*>(mixed) == &m);
  Twice t;
  V1* const in_twice = &t;
  assert(dynamic_cast<B*>(in_twice) == static_cast<B*>(&t));
  assert(dynamic_cast<A*>(in_twice) != nullptr);  // upwards: no question
  Other* const lone = new Other;
  assert(dynamic_cast<A*>(lone) == nullptr && typeid(*lone) == typeid(Other) && typeid(*a) == typeid(D));
  delete lone;
  bool thrown = false;
  try {
    (void)dynamic_cast<Other&>(*a);
  } catch (const std::bad_cast& e) {
    thrown = e.what() != nullptr;
  }
  assert(thrown);
#ifdef FREED
  A* const gone = new B;
  delete gone;
  return dynamic_cast<B*>(gone) == nullptr;  // here
#endif
#ifdef RACE
  shared = new B;
  pthread_t thread;
  pthread_create(&thread, nullptr, change, nullptr);
  if (dynamic_cast<B*>(shared) == nullptr) return 0;  // here
  pthread_join(thread, nullptr);
#endif
  return 0;
}
