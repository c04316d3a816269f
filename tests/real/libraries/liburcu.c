// The wait-free queue of liburcu, from its headers. It uses volatile where C11 has relaxed atomics.
// needs: urcu/wfcqueue.h
// $ heddle check --volatile relaxed liburcu.c => verified
// $ heddle check --volatile relaxed --model tso liburcu.c => verified
// $ heddle check liburcu.c -- -DEARLY => error race
// $ heddle check --volatile relaxed liburcu.c -- -DBUG => error assertion here
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/wfcqueue.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node a, b;

static void* put(void* arg) {
  cds_wfcq_node_init(&b);
  cds_wfcq_enqueue(&head, &tail, &b);
  return arg;
}

int main(void) {
  cds_wfcq_init(&head, &tail);
  pthread_t t;
  pthread_create(&t, NULL, put, NULL);
  cds_wfcq_node_init(&a);
  cds_wfcq_enqueue(&head, &tail, &a);
#ifndef EARLY
  pthread_join(t, NULL);
#endif
  struct cds_wfcq_node* first = __cds_wfcq_dequeue_blocking(&head, &tail);
#ifdef BUG
  assert(first == &a);  // here
#endif
  struct cds_wfcq_node* second = __cds_wfcq_dequeue_blocking(&head, &tail);
#ifdef EARLY
  pthread_join(t, NULL);
  if (!second) second = __cds_wfcq_dequeue_blocking(&head, &tail);
#endif
  assert(first && second && first != second && !__cds_wfcq_dequeue_blocking(&head, &tail));
}
