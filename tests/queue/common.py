"""What the tests of work that is kept share: programs with known counts, and a Redis server of their own."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.path.join(ROOT, "bench", "programs")
RCMC = os.path.join(PROGRAMS, "rcmc")
SKIPPED = 77  # CTest's SKIP_RETURN_CODE

# A loop without a known bound: several explorations, one after the other.
LOOP = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int left, x, y[3];
static void* turn(void* a) {
  while (atomic_fetch_sub(&left, 1) > 0) atomic_fetch_add(&x, 1);
  return a;
}
static void* run(void* a) {
  int i = (int)(long)a;
  for (int n = 0; n < (i == 2 ? 4 : 3); n++) atomic_store(&y[i], atomic_load(&y[(i + 1) % 3]));
  return 0;
}
int main(void) {
  pthread_t t[4];
  atomic_store(&left, 40);
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, run, (void*)i);
  pthread_create(&t[3], 0, turn, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
"""

# Threads that wait to be woken, each in a word of its own: which one depends on the number of the thread.
CONDITION = """
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static void* wait(void* a) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
  return a;
}
static void* wake(void* a) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, i + 1 < N ? wait : wake, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
"""


def need(condition, *what):
    if not condition:
        sys.exit("failed: " + " ".join(str(w) for w in what))


def programs():
    """Name, options, and the executions of one process alone, some seconds of them."""
    return [
        ("casw", ["--no-symmetry", f"{RCMC}/casw.c", "--", "-DN=6"], 1270080),
        ("lastzero", [f"{RCMC}/lastzero0.c", "--", "-DN=15"], 147456),
        ("ainc.rcmc", ["--no-symmetry", "--algorithm", "rcmc", f"{RCMC}/ainc.c", "--", "-DN=9"], 362880),
    ]


def tree_programs(heddle):
    """Likewise, by algorithms whose parts are not independent: one process keeps them."""
    commands = [
        ("ttaslock.await", ["--algorithm", "await", "--model", "sc", f"{PROGRAMS}/await/ttaslock.c", "--", "-DN=6"]),
        ("approxds.rvf", ["--algorithm", "rvf", "--model", "sc", "--races", "ignore",
                          f"{PROGRAMS}/rvf/approxds-append.c", "--", "-DN=6"]),
    ]
    return [(name, arguments, alone(heddle, arguments)["executions"]) for name, arguments in commands]


def alone(heddle, arguments):
    """What one process finds."""
    run = subprocess.run([heddle, "check", "--format", "json", "--jobs", "1", *arguments], capture_output=True, text=True)
    result = answer(run.stdout)
    need(result["verdict"] == "verified", run.stdout, run.stderr)
    return result


def answer(text):
    try:
        return json.loads(text)
    except ValueError:
        sys.exit(f"failed: not one JSON object: {text!r}")


class Redis:
    """A server on a free port of this machine, which keeps what it has said to have done."""

    def __init__(self):
        if shutil.which("redis-server") is None:
            if os.environ.get("CI") == "true":
                sys.exit("failed: redis-server is not installed; scripts/install-deps does that")
            print("skipped: redis-server is not installed")
            sys.exit(SKIPPED)
        self.folder = tempfile.mkdtemp(prefix="heddle-redis-")
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.process = None
        self.start()

    def start(self, *more):
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder, "--save", "",
             "--appendonly", "yes", "--appendfsync", "always", *more],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        sys.exit("failed: redis-server does not start")

    def url(self, name):
        return f"redis://127.0.0.1:{self.port}/{name}"

    def ask(self, *words):
        return subprocess.run(["redis-cli", "-p", str(self.port), *words], capture_output=True, text=True).stdout

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self):
        if self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def descendants(pid):
    """The processes that a process has started, and theirs."""
    found = []
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            children = [int(c) for c in f.read().split()]
    except OSError:
        return found
    for child in children:
        found.append(child)
        found += descendants(child)
    return found


def kill_one(pid):
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except OSError:
        return False


RANDOM = random.Random(int(os.environ.get("SEED", time.time_ns())))
