// The queue locks of Concurrency Kit: MCS and CLH. Each thread waits at a node of its own.
// needs: ck_spinlock.h
// On AArch64 the MCS lock orders what it writes into its node only by an address dependency, which is a formal race.
// On x86-64 its exchange is a full barrier.
// aarch64: $ heddle check ck_queue_locks.c -- -DMCS => error race, "nodes[1].next"
// x86_64: $ heddle check ck_queue_locks.c -- -DMCS => verified
// Without that dependency the initialisation of a node may come after the hand-over; what comes of the race is seen.
// aarch64: $ heddle check --suppress ck.supp ck_queue_locks.c -- -DMCS => error livelock, "nodes[0].locked"
// $ heddle check --suppress ck.supp --model sc ck_queue_locks.c -- -DMCS => verified
// $ heddle check --suppress ck.supp --model tso ck_queue_locks.c -- -DMCS => verified
// $ heddle check ck_queue_locks.c -- -DCLH => verified
// $ heddle check --model sc ck_queue_locks.c -- -DCLH => verified
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static int counter;

#ifdef MCS
static ck_spinlock_mcs_t lock = CK_SPINLOCK_MCS_INITIALIZER;
static void critical(ck_spinlock_mcs_context_t* node) {
  ck_spinlock_mcs_lock(&lock, node);
  counter++;
  ck_spinlock_mcs_unlock(&lock, node);
}
static ck_spinlock_mcs_context_t nodes[2];
#else
static ck_spinlock_clh_t* lock;
static ck_spinlock_clh_t nodes[2], unowned;
static void critical(ck_spinlock_clh_t* node) {
  ck_spinlock_clh_t* mine = node;
  ck_spinlock_clh_lock(&lock, mine);
  counter++;
  ck_spinlock_clh_unlock(&mine);
}
#endif

static void* worker(void* argument) {
  critical(&nodes[1]);
  return argument;
}

int main(void) {
  pthread_t t;
#ifdef CLH
  ck_spinlock_clh_init(&lock, &unowned);
#endif
  pthread_create(&t, 0, worker, 0);
  critical(&nodes[0]);
  pthread_join(t, 0);
  assert(counter == 2);
}
