// The lock-free stack of Concurrency Kit: pushes by compare-and-swap, pops with a counter beside the pointer (16
// bytes). needs: ck_stack.h
// $ heddle check ck_stack.c => verified
// $ heddle check --model tso ck_stack.c => verified
// $ heddle check --model sc ck_stack.c => verified
// $ heddle check ck_stack.c -- -DBUG => error assertion here
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>

static ck_stack_t stack CK_CC_CACHELINE = CK_STACK_INITIALIZER;
static ck_stack_entry_t a, b;

static void* push(void* argument) {
  ck_stack_push_upmc(&stack, &b);
  return argument;
}

int main(void) {
  pthread_t t;
  ck_stack_push_upmc(&stack, &a);
  pthread_create(&t, 0, push, 0);
  ck_stack_entry_t* first = ck_stack_pop_upmc(&stack);
#ifdef BUG
  assert(first == &a);  // here
#endif
  pthread_join(t, 0);
  ck_stack_entry_t* second = ck_stack_pop_upmc(&stack);
  assert((first == &a && second == &b) || (first == &b && second == &a));
  assert(ck_stack_pop_upmc(&stack) == NULL);
}
