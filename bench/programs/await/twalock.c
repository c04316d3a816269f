// twalock(N), optimal-dpor-await (FMCAD 2022), Table I: a ticket lock with a waiting array (Dice and Kogan, "TWA:
// Ticket Locks Augmented with a Waiting Array", Euro-Par 2019). Who is next waits for the grant; who is further away
// waits in a cell of the array that belongs to its ticket, so that a release wakes only one. N threads take the lock
// once each. All accesses are seq_cst.
//
// A thread remembers what it has seen in its cell, so no round of the outer loop is pure. There are (N!) * g(1) * ... *
// g(N-1) executions: the holder of ticket k has g(k) ways to see grants and its cell; g(1) = 2, g(2) = 8, g(3) = 16.
// $ heddle check --algorithm await --model sc twalock.c -- -DN=3 => verified, 96 executions, 0 blocked
// $ heddle check --algorithm await --model sc twalock.c -- -DN=4 => verified, 6144 executions, 0 blocked
// $ heddle check --no-symmetry --model sc twalock.c -- -DN=3 => verified, 96 executions, 0 blocked
// $ heddle check --no-symmetry --model rc11 twalock.c -- -DN=3 => verified, 96 executions, 0 blocked
// $ heddle check --no-symmetry --model sc twalock.c -- -DN=4 => verified, 6144 executions, 0 blocked
// $ heddle check --no-symmetry --model rc11 twalock.c -- -DN=4 => verified, 6144 executions, 0 blocked
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef CELLS
#define CELLS 8
#endif

#define NEAR 1  // with so many before it, a thread looks at the grant itself

static atomic_int ticket;
static atomic_int grant;
static atomic_int waiting[CELLS];
static int shared;

static void wait_far_away(int mine) {
  atomic_int* const cell = &waiting[mine % CELLS];
  int seen = atomic_load(cell);
  while (mine - atomic_load(&grant) > NEAR) {
    int now;
    while ((now = atomic_load(cell)) == seen) {
    }
    seen = now;
  }
}

// The ticket.
static int lock(void) {
  const int mine = atomic_fetch_add(&ticket, 1);
  if (mine - atomic_load(&grant) > NEAR) wait_far_away(mine);
  while (atomic_load(&grant) != mine) {
  }
  return mine;
}

static void unlock(int mine) {
  atomic_store(&grant, mine + 1);
  atomic_fetch_add(&waiting[(mine + 1 + NEAR) % CELLS], 1);
}

static void* work(void* arg) {
  const int mine = lock();
  ++shared;
  unlock(mine);
  return arg;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  assert(shared == N);
  return 0;
}
