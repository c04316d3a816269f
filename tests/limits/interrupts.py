#!/usr/bin/env python3
"""Runs that are ended from outside: each reports what it has counted, and ends in time.

usage: interrupts.py HEDDLE FOLDER-FOR-FILES
"""

import json
import os
import signal
import subprocess
import sys
import time

HEDDLE, FOLDER = sys.argv[1:3]
SLACK = 1.0  # seconds: the machine may be busy

MANY = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void* run(void* a) { for (int i = 0; i < 6; i++) { atomic_fetch_add(&x, 1); atomic_store(&y, atomic_load(&x)); } return a; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, run, &t[i]);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  return 0;
}
"""
# The preprocessor is busy with this for long.
SLOW = "#define A(x) x x x x x x x x\nint n = 0 A(A(A(A(A(A(A(A(A(+1)))))))));\nint main(void) { return 0; }\n"


def put(name, text):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def run(arguments, signals=(), at=None):
    """Exit status, seconds, stdout. `signals` are sent one after the other, from `at` seconds on."""
    start = time.monotonic()
    process = subprocess.Popen([HEDDLE, "check"] + arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for s in signals:
        time.sleep(at)
        process.send_signal(s)
    out, err = process.communicate(timeout=60)
    return process.returncode, time.monotonic() - start, out, err


def need(condition, *what):
    if not condition:
        sys.exit("failed: " + " ".join(str(w) for w in what))


def report(status, out, err, limit):
    need(status == 3, "exit", status, out, err)
    r = json.loads(out)  # one object and nothing else
    need(r["verdict"] == "incomplete", r["verdict"])
    need([hit["limit"] for hit in r["limits"]] == [limit], r["limits"], limit)
    return r


def interrupted(arguments, s, at, in_time):
    """The report of a run that is sent a signal at that time. in_time: what the report must say of work done by then."""
    status, seconds, out, err = run(["--format", "json"] + arguments, [s], at)
    r = report(status, out, err, "interrupted")
    need(in_time(r), "no executions were counted", r)
    need(seconds < at + 0.2 + SLACK, "took", seconds)


def limited(arguments, limit, in_time):
    status, seconds, out, err = run(["--format", "json", "--time-limit", str(limit)] + arguments)
    r = report(status, out, err, "time")
    need(in_time(r) and limit <= seconds < limit + 0.2 + SLACK, r["executions"], seconds)


def text(arguments):
    status, _, out, err = run(arguments, [signal.SIGINT], at=2)
    need(status == 3 and out.startswith("incomplete") and "interrupted" in out, status, out, err)


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return [int(child) for child in f.read().split()]


def killed(arguments):
    """The process that explores is killed: what it has found until then is told."""
    process = subprocess.Popen([HEDDLE, "check", "--format", "json", "--keep-going"] + arguments,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    children = children_of(process.pid)
    need(len(children) == 1, "children", children)
    os.kill(children[0], signal.SIGKILL)
    out, err = process.communicate(timeout=60)
    need(process.returncode == 1, "exit", process.returncode, out, err)
    r = json.loads(out)
    need(r["verdict"] == "error" and [hit["limit"] for hit in r["limits"]] == ["killed"], r["verdict"], r["limits"])
    error = r["errors"][0]
    need(error["kind"] == "assertion" and error["line"] == 6 and error["trace"], error["kind"], error["line"])


def twice(arguments):
    """Two signals at once, as timeout(1) sends them to a process and its group: what was found is told."""
    process = subprocess.Popen([HEDDLE, "check", "--format", "json", "--keep-going"] + arguments,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    for _ in range(2):
        process.send_signal(signal.SIGTERM)
        time.sleep(0.0003)
    out, err = process.communicate(timeout=60)
    need(process.returncode == 1, "exit", process.returncode, out, err)
    r = json.loads(out)
    need(r["verdict"] == "error" and r["errors"] and r["executions"] > 0, r["verdict"], r["errors"], r["executions"])


def tried(check, *arguments):
    """The machine may be busy: one try of five must do."""
    for left in reversed(range(5)):
        try:
            return check(*arguments)
        except SystemExit as failed:
            if left == 0:
                raise
            print("again, since", failed)


def main():
    many, slow = put("many.c", MANY), put("slow.c", SLOW)
    explores, compiles = lambda r: r["executions"] > 0, lambda r: True
    for s in (signal.SIGINT, signal.SIGTERM):
        tried(interrupted, [many], s, 3, explores)
    tried(text, [many])
    tried(interrupted, [slow], signal.SIGINT, 0.3, compiles)
    tried(limited, [slow], 0.5, compiles)
    tried(limited, [many], 3, explores)
    wrong = MANY.replace("#include", "#include <assert.h>\n#include", 1).replace("return a;", "assert(y != 17); return a;")
    tried(killed, [put("wrong.c", wrong)])
    for _ in range(8):
        tried(twice, [put("wrong.c", wrong)])
    print("all runs ended as asked")


main()
