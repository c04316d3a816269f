#!/usr/bin/env python3
"""What is shown while a program is explored: a line on a terminal, which is gone at the end; lines with --progress.

usage: status.py HEDDLE FOLDER-FOR-FILES
"""

import os
import pty
import re
import subprocess
import sys

HEDDLE, FOLDER = sys.argv[1:3]
ERASE = "\r\x1b[K"

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
PROGRAM = os.path.join(FOLDER, "status.c")
with open(PROGRAM, "w") as f:
    f.write(MANY)


def need(condition, message, text):
    if not condition:
        sys.exit(f"{message}:\n{text!r}")


def on_terminal(arguments):
    """All that a terminal gets."""
    master, slave = pty.openpty()
    process = subprocess.Popen([HEDDLE, "check"] + arguments, stdout=slave, stderr=slave, stdin=slave,
                               env=dict(os.environ, TERM="xterm"))
    os.close(slave)
    out = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    process.wait()
    os.close(master)
    return out.decode()


def in_pipes(arguments):
    r = subprocess.run([HEDDLE, "check"] + arguments, capture_output=True, text=True)
    return r.stdout, r.stderr


text = on_terminal(["--time-limit", "4", PROGRAM])
lines = text.split(ERASE)
need(len(lines) > 5, "several status lines", text)
need(re.fullmatch(r"\d+ executions(, \d+ blocked)?, [\d.]+[kM]?/s, \d+ s, depth \d+(; about .* in all \(.* to .*\))?", lines[1]),
     "the form of a status line", lines[1])
need(all("\n" not in line for line in lines[1:-1]), "each is one line", text)
report = lines[-1]
need(report.lstrip("\x1b[1;33m").startswith("incomplete"), "the line is erased before the report", text)
need("executions/s" in report and "/s, " in report, "the report comes last", report)

text = on_terminal(["--no-progress", "--time-limit", "1.5", PROGRAM])
need(ERASE not in text, "--no-progress", text)

out, err = in_pipes(["--time-limit", "1.5", PROGRAM])
need(err == "", "nothing when stderr is no terminal", err)

out, err = in_pipes(["--progress", "--time-limit", "4", PROGRAM])
lines = err.splitlines()
need(2 <= len(lines) <= 5, "a line each second", err)
need(all(re.match(r"heddle: \d+ executions", line) for line in lines), "the form of a line", err)
need("\x1b" not in err and "\r" not in err, "no control characters", err)
print("passed")
