// A sequence lock. The writer makes the counter odd, writes, and makes it even again; a reader tries again if the
// counter was odd or has changed. The reader's fence is missing: its second look at the counter may be older than the
// data, so that it takes half of an update for a whole one. With -DRIGHT the fence is there.
//
// $ heddle check seqlock_no_fence.c => error assertion here
// $ heddle check seqlock_no_fence.c -- -DRIGHT => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct point {
  int x, y;
};

static atomic_uint sequence;
static atomic_int x, y;  // equal, except in the middle of an update

static void write_point(struct point p) {
  const unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
  atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&x, p.x, memory_order_relaxed);
  atomic_store_explicit(&y, p.y, memory_order_relaxed);
  atomic_store_explicit(&sequence, s + 2, memory_order_release);
}

static struct point read_point(void) {
  for (;;) {
    const unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    struct point p;
    p.x = atomic_load_explicit(&x, memory_order_relaxed);
    p.y = atomic_load_explicit(&y, memory_order_relaxed);
#ifdef RIGHT
    atomic_thread_fence(memory_order_acquire);
#endif
    if (before % 2 == 0 && atomic_load_explicit(&sequence, memory_order_relaxed) == before) return p;
  }
}

static void* writer(void* arg) {
  write_point((struct point){1, 1});
  return arg;
}

static void* reader(void* arg) {
  const struct point p = read_point();
  assert(p.x == p.y);  // here
  return arg;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  return 0;
}
