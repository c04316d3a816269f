#!/usr/bin/env python3
"""Checks that keep their work in Redis: what is refused, what goes on, what disturbs what.

usage: redis.py HEDDLE FOLDER-FOR-FILES
"""

import os
import shutil
import signal
import subprocess
import sys
import time

from common import RCMC, Redis, answer, need, programs

HEDDLE, FOLDER = sys.argv[1:3]

# One of many executions fails, in each of several ways.
BUG = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z[5];
static void* run(void* a) {
  int i = (int)(long)a;
  for (int n = 0; n < 3; n++) { atomic_store(&z[i], atomic_load(&z[(i + 1) % 4])); atomic_fetch_add(&x, 1); }
  if (i == 0) assert(atomic_load(&x) != 12 || atomic_load(&y) == 0);
  if (i == 3) { assert(atomic_load(&x) != 3); atomic_store(&y, 1); }
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, run, (void*)i);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
"""

# Eight turns of a mutex: 8! executions.
TYPES = """
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct pair { int a; int b; } both;
static void* run(void* a) {
  pthread_mutex_lock(&m);
  both.a = ++both.b;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t[8];
  for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 8; i++) pthread_join(t[i], 0);
  return 0;
}
"""


def start(*words, heddle=HEDDLE, **environment):
    return subprocess.Popen([heddle, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, **environment))


def check(url, *arguments, jobs="1"):
    return start("check", "--format", "json", "--jobs", jobs, "--lease", "2", "--queue", url, *arguments)


def good(run, executions):
    out, err = run.communicate()
    need(run.returncode == 0, "exit", run.returncode, out, err)
    result = answer(out)
    need(result["executions"] == executions, result["executions"], "instead of", executions)


def refused(why, run):
    out, err = run.communicate()
    need(run.returncode == 2 and why in err, "exit", run.returncode, "not refused because of", why, ":", out, err)


def has_begun(url, executions=0):
    end = time.monotonic() + 600
    while time.monotonic() < end:
        status = start("status", "--format", "json", url)
        out, _ = status.communicate()
        if status.returncode == 0 and answer(out)["phase"] == "working" and answer(out)["executions"] >= executions:
            return
        time.sleep(0.02)
    sys.exit("failed: the check does not begin")


def two_at_once(redis):
    """Checks of two names do not disturb each other; each has its workers."""
    (_, long, long_count), (_, _, _), (_, short, short_count) = programs()
    first = check(redis.url("first"), *long)
    second = check(redis.url("second"), *short)
    has_begun(redis.url("first"))
    workers = [start("worker", "--jobs", "1", redis.url(name)) for name in ("first", "second")]
    for key in redis.ask("KEYS", "*").split():
        need(int(redis.ask("TTL", key)) != -1, key, "never expires")
    good(second, short_count)
    good(first, long_count)
    for worker in workers:
        out, err = worker.communicate()
        need(worker.returncode == 0 or "there is no such check" in err, worker.returncode, err)  # it has come too late
    refused("there is no such check", start("status", redis.url("first")))
    refused("there is no such check", start("worker", redis.url("first")))
    for key in redis.ask("KEYS", "*").split():
        need(0 < int(redis.ask("TTL", key)) <= 3600, key, "stays")


def workers_help(redis):
    """A worker knows the program as its check does, whatever types its globals have."""
    source = os.path.join(FOLDER, "types.c")
    with open(source, "w") as f:
        f.write(TYPES)
    url = redis.url("types")
    run = check(url, "--no-symmetry", source)
    has_begun(url)
    worker = start("worker", "--jobs", "1", url)
    good(run, 40320)
    out, err = worker.communicate()
    need(worker.returncode == 0, worker.returncode, out, err)


def the_check_goes_on(redis):
    """A check that is interrupted, or killed, goes on: by the same command, and no other one takes its name."""
    _, arguments, executions = programs()[0]
    url = redis.url("goes-on")
    run = check(url, *arguments)
    has_begun(url)
    worker = start("worker", "--jobs", "1", url)
    has_begun(url, 1)
    run.send_signal(signal.SIGTERM)  # SIGINT is ignored in the background
    out, err = run.communicate()
    need(run.returncode == 3 and answer(out)["executions"] > 0, run.returncode, out, err)
    out, _ = start("status", url).communicate()
    need(out.startswith("paused"), out)
    refused("another program", check(url, "--no-symmetry", f"{RCMC}/casw.c", "--", "-DN=5"))
    refused("other options", check(url, "--model", "sc", *arguments))

    run = check(url, *arguments)
    has_begun(url)
    time.sleep(0.5)
    run.kill()
    run.communicate()
    time.sleep(10.5)  # until nobody believes in it any more
    good(check(url, *arguments), executions)
    worker.communicate()


def nobody_else(redis):
    """While a check runs, its name is its own, and only the same heddle helps."""
    other = os.path.join(FOLDER, "another-heddle")
    shutil.copy(HEDDLE, other)
    with open(other, "ab") as f:
        f.write(b"x")
    url = redis.url("endless")
    run = check(url, "--no-symmetry", f"{RCMC}/casw.c", "--", "-DN=9")
    has_begun(url)
    refused("a check of this name is running", check(url, f"{RCMC}/casw.c"))
    refused("another build of heddle", start("worker", url, heddle=other))
    run.send_signal(signal.SIGTERM)
    out, err = run.communicate()
    need(run.returncode == 3, run.returncode, out, err)
    redis.ask("FLUSHALL")


def errors(redis):
    """The same error for each number of processes; with --any-error one of them."""
    source = os.path.join(FOLDER, "bug.c")
    with open(source, "w") as f:
        f.write(BUG)
    arguments = ["--model", "sc", source]
    found = set()
    for jobs in ("1", "2", "3"):
        for more in ([], ["--queue", redis.url("error" + jobs)], ["--checkpoint", os.path.join(FOLDER, "bug.checkpoint")]):
            run = start("check", "--format", "json", "--jobs", jobs, *more, *arguments)
            out, err = run.communicate()
            need(run.returncode == 1, run.returncode, out, err)
            result = answer(out)
            found.add((result["errors"][0]["line"], result["errors"][0]["message"]))
    need(len(found) == 1, "the error depends on who explores:", found)
    run = start("check", "--format", "json", "--any-error", "--jobs", "3", "--queue", redis.url("any"), *arguments)
    out, err = run.communicate()
    need(run.returncode == 1 and answer(out)["errors"][0]["kind"] == "assertion", run.returncode, out, err)


def passwords(redis):
    _, arguments, executions = programs()[2]
    redis.ask("CONFIG", "SET", "requirepass", "se:cret")
    refused("NOAUTH", check(redis.url("secret"), *arguments))
    refused("WRONGPASS", check(redis.url("secret").replace("://", "://:wrong@"), *arguments))
    good(check(redis.url("secret").replace("://", "://:se%3Acret@"), *arguments), executions)
    good(start("check", "--format", "json", "--queue", redis.url("secret"), *arguments,
               HEDDLE_REDIS_PASSWORD="se:cret"), executions)


def main():
    refused("no TLS", start("check", "--queue", "rediss://h/x", f"{RCMC}/casw.c"))
    refused("must begin with redis://", start("check", "--queue", "h/x", f"{RCMC}/casw.c"))
    refused("there is no connection", start("worker", "redis://127.0.0.1:1/x"))
    redis = Redis()
    try:
        for test in (two_at_once, workers_help, the_check_goes_on, nobody_else, errors, passwords):
            test(redis)
            print(test.__name__, flush=True)
    finally:
        redis.end()


if __name__ == "__main__":
    main()
