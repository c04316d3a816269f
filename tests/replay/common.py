"""Programs with a bug each, and how the tests of replay run heddle."""

import os
import re
import subprocess
import sys

RACE = """
#include <pthread.h>
int x;
static void *f(void *a) { x = 1; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); return 0; }
"""
# Store buffering: the assertion fails under every model but sc.
ASSERTION = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "mode.h"
atomic_int x, y;
int a, b;
static void *left(void *arg) {
  int before = 7;
  atomic_store_explicit(&x, 1, MODE);
  a = atomic_load_explicit(&y, MODE);
  before += a;  // line 12
  return (void *)(long)before;
}
static void *right(void *arg) {
  atomic_store_explicit(&y, 1, MODE);
  b = atomic_load_explicit(&x, MODE);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, left, 0);
  pthread_create(&u, 0, right, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a == 1 || b == 1);
  return 0;
}
"""
MODE = "#define MODE memory_order_relaxed\n"
# Under every model, also with a pointer to a function among the values.
LOST_UPDATE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int n;
static void one(void) { puts("one"); }
_Atomic(void (*)(void)) action;
static void *f(void *a) {
  atomic_store(&n, atomic_load(&n) + 1);
  atomic_store(&action, one);
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  void (*do_it)(void) = atomic_load(&action);
  do_it();
  assert(atomic_load(&n) == 2);
  return 0;
}
"""
DEADLOCK = """
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_join(t, 0);
  return 0;
}
"""
LIVELOCK = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
static void *f(void *a) { while (atomic_load(&ready) != 2) {} return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  atomic_store(&ready, 1);
  pthread_join(t, 0);
  return 0;
}
"""
FREED = """
#include <atomic>
#include <thread>
struct Node { int value; Node *next; };
std::atomic<Node *> head{nullptr};
int seen;
int main() {
  std::thread t([] { Node *n = new Node{6, nullptr}; head.store(n); delete n; });
  if (Node *top = head.load()) seen = top->value;
  t.join();
}
"""
FILES = {"race.c": RACE, "assertion.c": ASSERTION, "mode.h": MODE, "lost.c": LOST_UPDATE, "deadlock.c": DEADLOCK,
         "livelock.c": LIVELOCK, "freed.cpp": FREED}


def put(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w") as f:
        f.write(text)


def need(condition, *what):
    if not condition:
        sys.exit("failed: " + " ".join(str(w) for w in what))


def run(heddle, words, folder):
    return subprocess.run([heddle, *words], cwd=folder, capture_output=True, text=True, errors="replace", timeout=120,
                          stdin=subprocess.DEVNULL)


def without_times(text):
    """What a report says but for times and speeds."""
    text = re.sub(r"\d+\.\d\d s", "S", text)
    return re.sub(r"\n  \S+ executions/s, .*", "", text)
