#!/usr/bin/env python3
"""The sandbox from outside: programs that jump into the C library, files that the parent writes, systems without
seccomp or Landlock. tests/programs/sandbox has programs with system calls of their own.

usage: sandbox.py HEDDLE FOLDER
"""

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

# An object that is in the real library, and from there to a function.
JUMPER = """
#include <assert.h>
#include <stdio.h>
int main(void) {
  long (*wild)(long, long, long) = (long (*)(long, long, long))(void *)((char *)stdout + DISTANCE);
  long result = wild(A, B, C);  // line 6
  assert(result RESULT);
  return 0;
}
"""
# Enough executions that copies of the process take part; in some of them each sees what the other has just written.
CROWD = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int x[2];
static long go(long from, long to) {
  long seen = 0;
  for (int i = 1; i <= N; i++) {
    atomic_store_explicit(&x[from], i, memory_order_relaxed);
    seen += atomic_load_explicit(&x[to], memory_order_relaxed);
  }
  return seen;
}
static void *f(void *a) { return (void *)go(0, 1); }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  long mine = go(1, 0);
  void *other;
  pthread_join(t, &other);
  if (mine == SEEN && (long)other == SEEN)
    ((long (*)(long, long, long))(void *)((char *)stdout + DISTANCE))(2, 1, 0);  // line 22
  return 0;
}
"""
RACE = """
#include <pthread.h>
int x;
static void *f(void *a) { x = 1; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); return 0; }
"""

HEDDLE = os.path.abspath(sys.argv[1])
FOLDER = Path(sys.argv[2]) / "work"
LIBRARY = ctypes.CDLL(None)
wrong = []


def need(condition, what):
    if not condition:
        wrong.append(what)
        print(f"WRONG {what}")


def run(*words, before=None):
    done = subprocess.run([HEDDLE, *words], cwd=FOLDER, capture_output=True, text=True, timeout=300, preexec_fn=before)
    return done.returncode, done.stdout, done.stderr


def distance(function):
    address = ctypes.cast(getattr(LIBRARY, function), ctypes.c_void_p).value
    return f"-DDISTANCE={address - ctypes.c_void_p.in_dll(LIBRARY, 'stdout').value}"


def jump(function, *arguments, result="< 0", options=(), before=None):
    values = (list(arguments) + ["0", "0", "0"])[:3]
    defines = [f"-D{name}={value}" for name, value in zip("ABC", values)]
    return run("check", *options, "jumper.c", "--", distance(function), f"-DRESULT={result}", *defines, before=before)


def forbids(name, what, *arguments):
    status, out, err = jump(name, *arguments, options=["--format", "json"])
    errors = json.loads(out)["errors"] if status == 1 else []
    found = [(e["kind"], e["line"]) for e in errors if re.search(what, e["message"])]
    need(found == [("crash", 6)], f"{name}: {status} {out}{err}")


def test_jumps_into_the_library():
    forbids("socket", r"calls socket \(network\), which the sandbox forbids", "2", "1")
    forbids("creat", r"calls (creat|openat) \(writes to files\)", '(long)"made"', "0600")
    forbids("mkdir", r"calls mkdir(at)? \(writes to files\)", '(long)"made"', "0700")
    forbids("fork", r"calls fork \(other processes\)")
    forbids("execv", r"calls execve \(other processes\)", '(long)"/bin/true"')
    forbids("kill", r"calls kill \(other processes\)", os.getpid(), int(signal.SIGTERM))
    forbids("kill", r"calls kill \(other processes\)", "-1", int(signal.SIGKILL))
    need(not (FOLDER / "made").exists(), "there is a new file")
    # It blocks all signals before it makes a process, so that there is nobody to tell of it.
    status, out, err = jump("system", '(long)"touch made"', result=">= 0")
    need(status == 2 and "its sandbox forbids; try --no-sandbox" in err, f"system: {status} {out}{err}")
    need(not (FOLDER / "made").exists(), "system has run")


def test_without_sandbox():
    for words in (("socket", "2", "1"), ("creat", '(long)"made"', "0600")):
        status, out, err = jump(*words, result=">= 0", options=["--no-sandbox"])
        need(status == 0, f"--no-sandbox: {words}: {status} {out}{err}")
    need((FOLDER / "made").exists(), "--no-sandbox: there is no new file")
    (FOLDER / "made").unlink()


def test_copies():
    """Several processes explore, and any of them may find the error."""
    words = ("check", "--jobs", "3", "--no-hints", "--format", "json", "crowd.c", "--", distance("socket"), "-DN=6")
    status, out, err = run(*words, "-DSEEN=1")
    found = [(e["line"], e["message"][:39]) for e in json.loads(out)["errors"]]
    need(status == 1 and found == [(22, "the program calls socket (network), whi")], f"{status} {out[:1000]}{err}")
    status, out, err = run(*words, "-DSEEN=-1")
    need(status == 0 and json.loads(out)["executions"] == 608751, f"{status} {out[:1000]}{err}")


def test_files():
    for name in ("page.html", "graph.dot", "results.xml", "saved.run"):
        (FOLDER / name).unlink(missing_ok=True)
    words = ("check", "--report", "page.html", "--dot", "graph.dot", "--junit", "results.xml", "--save", "saved.run", "race.c")
    status, out, err = run(*words)
    need(status == 1 and not err, f"files: {status} {out}{err}")
    for name, start in (("page.html", "<!DOCTYPE html>"), ("graph.dot", "digraph"), ("results.xml", "<?xml")):
        need((FOLDER / name).read_text().startswith(start), name)
    need(run("replay", "--report", "page2.html", "saved.run")[0] == 1, "replay")
    need((FOLDER / "page2.html").read_text().startswith("<!DOCTYPE html>"), "page2.html")
    need(not list(FOLDER.glob("*.draft")), "a draft is left")
    # What goes wrong is told alike.
    full = [run("check", *options, "--dot", "/dev/full", "race.c") for options in ((), ("--no-sandbox",))]
    need(full[0] == full[1] and full[0][0] == 2 and "/dev/full: cannot be written: No space left" in full[0][2], f"{full}")


def test_pipe_that_nobody_reads():
    """Whoever writes may have to wait for ever: the user can still end the run."""
    pipe = FOLDER / "pipe"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    heddle = subprocess.Popen([HEDDLE, "check", "--verbose", "--no-hints", "--dot", "pipe", "race.c"], cwd=FOLDER, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while "explored in" not in heddle.stderr.readline():
        pass
    time.sleep(0.5)
    need(heddle.poll() is None, "it does not wait for a reader")
    for _ in range(3):  # to end it soon, at once, and when it wants to tell so in the same file
        heddle.send_signal(signal.SIGINT)
        time.sleep(0.3)
    try:
        need(heddle.wait(5) == -signal.SIGINT, f"interrupted while it writes: exit status {heddle.returncode}")
    except subprocess.TimeoutExpired:
        heddle.kill()
        need(False, "it cannot be interrupted while it writes")


def without(*calls):
    """As in a container that forbids them."""
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    forbidden = 0x00050000 | 1  # EPERM

    def before():
        rules = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(0x7FFF0000)))
        for call in calls:
            number = seccomp.seccomp_syscall_resolve_name(call.encode())
            seccomp.seccomp_rule_add(rules, ctypes.c_uint32(forbidden), number, 0)
        if seccomp.seccomp_load(rules) != 0:
            raise OSError("no filter")

    return before


def test_what_protects():
    said = "heddle: sandbox: seccomp"
    need(said in run("check", "--verbose", "race.c")[2], "--verbose does not tell of the sandbox")
    need("sandbox" not in run("check", "race.c")[2], "it is told without --verbose")
    need("sandbox" not in run("check", "--no-sandbox", "--verbose", "race.c")[2], "it is told with --no-sandbox")
    for calls, expected in (((), said),
                            (("landlock_create_ruleset",), "sandbox: seccomp, no Landlock"),
                            (("seccomp",), "sandbox: no seccomp (Operation not permitted), "),
                            (("seccomp", "landlock_create_ruleset"), "no Landlock: the program is kept from nothing")):
        status, out, err = run("check", "--verbose", "race.c", "--save", "saved.run", before=without(*calls))
        need(status == 1 and expected in err, f"without {calls}: {status} {out}{err}")
    # Then the call is what it would be elsewhere, and one filter does without the other.
    status, out, err = jump("socket", "2", "1", result=">= 0", before=without("seccomp"))
    need(status == 0, f"without seccomp: {status} {out}{err}")
    status, out, err = jump("socket", "2", "1", before=without("landlock_create_ruleset"))
    need(status == 1 and "which the sandbox forbids" in out, f"without Landlock: {status} {out}{err}")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "made").unlink(missing_ok=True)
    for name, text in (("jumper.c", JUMPER), ("crowd.c", CROWD), ("race.c", RACE)):
        (FOLDER / name).write_text(text)
    tests = [f for name, f in globals().items() if name.startswith("test_")]
    for test in tests:
        print(test.__name__)
        test()
    print(f"{len(tests)} tests, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
