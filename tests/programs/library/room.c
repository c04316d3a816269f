// An object of the library must fit where it is initialised, also if few of its bytes are used.
// $ heddle check room.c -- -DINIT=pthread_mutex_init(p,0) -DTYPE=pthread_mutex_t => error memory, "does not fit into a block"
// $ heddle check room.c -- -DINIT=pthread_cond_init(p,0) -DTYPE=pthread_cond_t => error memory, "does not fit into a block"
// $ heddle check room.c -- -DINIT=pthread_rwlock_init(p,0) -DTYPE=pthread_rwlock_t => error memory, "does not fit into a block"
// $ heddle check room.c -- -DINIT=pthread_barrier_init(p,0,2) -DTYPE=pthread_barrier_t => error memory, "does not fit into a block"
// $ heddle check room.c -- -DINIT=sem_init(p,0,1) -DTYPE=sem_t => error memory, "does not fit into a block"
// $ heddle check room.c -- -DINIT=mtx_init(p,0) -DTYPE=mtx_t => error memory, "does not fit into a block"
// $ heddle check room.c -- -DINIT=cnd_init(p) -DTYPE=cnd_t => error memory, "does not fit into a block"
// $ heddle check room.c -- -DINIT=pthread_mutex_init(p,0) -DTYPE=pthread_mutex_t -DFITS => verified
// $ heddle check room.c -- -DINIT=sem_init(p,0,1) -DTYPE=sem_t -DFITS => verified
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

int main(void) {
#ifdef FITS
  char* block = malloc(sizeof(TYPE) + 8);
  TYPE* p = (TYPE*)(block + 8);
#else
  char* block = malloc(sizeof(TYPE));
  TYPE* p = (TYPE*)(block + 8);
#endif
  INIT;
  free(block);
}
