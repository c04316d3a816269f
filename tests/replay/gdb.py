#!/usr/bin/env python3
"""replay --gdb: breakpoints, backtraces and variables of the program, and heddle's own commands. Skipped (status 77)
where gdb is missing, but in CI.

usage: gdb.py HEDDLE FOLDER-FOR-FILES
"""

import os
import shutil
import sys

from common import FILES, need, put, run

HEDDLE, FOLDER = os.path.abspath(sys.argv[1]), os.path.join(sys.argv[2], "gdb")


def line_of(file, text):
    return next(n for n, line in enumerate(FILES[file].splitlines(), 1) if text in line)


def gdb(file, *commands):
    check = run(HEDDLE, ["check", "--save", "saved", file], FOLDER)
    need(check.returncode == 1, file, check.stdout, check.stderr)
    words = [word for command in commands for word in ("-ex", command)]
    result = run(HEDDLE, ["replay", "--gdb", "saved", "--", "-nx", "-batch", *words], FOLDER)
    said = result.stdout + result.stderr

    def says(*texts):
        at = 0
        for text in texts:
            need(text in said[at:], file, "does not say", repr(text), "after", said[:at], "but", said[at:])
            at = said.index(text, at) + len(text)

    return says


def test_assertion():
    line = line_of("assertion.c", "line 12")
    says = gdb("assertion.c", f"break assertion.c:{line}", "continue", "backtrace", "info locals", "print x", "print a",
               "heddle threads", "continue", "print t", "continue")
    says("main () at assertion.c", f"left (arg=0x0) at assertion.c:{line}", f"#0  left (arg=0x0) at assertion.c:{line}",
         "before = 7", "$1 = 1", "$2 = 0", "0  main: before join of T1", "2  T2 (right): before store of y",
         "heddle: here is the error", "assert(a == 1 || b == 1)", "$3 = ", "error: assertion failed",
         "exited with code 01")


def test_next():
    says = gdb("assertion.c", "heddle next", "heddle next", "heddle next", "print x", "heddle next", "heddle thread 0",
               "heddle next", "heddle next", "heddle next", "print y")
    says("main: create of T1", "main: create of T2", "T1 (left): store of x, writes 0x1", "left (arg=0x0) at assertion.c",
         "$1 = 1", "T1 (left): load of y, reads 0x0", "main () at assertion.c", "T1 (left): exit",
         "T2 (right): store of y, writes 0x1", "T2 (right): load of x, reads 0x0", "$2 = 1")


def test_deadlock():
    says = gdb("deadlock.c", "continue", "heddle threads", "heddle thread 1", "heddle thread 7", "continue")
    says("the execution ends here, deadlock.c:", "deadlock: main waits for", "0  main: before cas of a", "1  T1 (f): before cas of b",
         f"f (arg=0x0) at deadlock.c:{line_of('deadlock.c', 'lock(&b)')}")
    says("error: deadlock")
    says("heddle thread wants a number")


def test_cxx():
    says = gdb("freed.cpp", "continue", "info locals", "print *top")
    says("here is the error", f"{line_of('freed.cpp', 'top->value')}\t", "top = 0x", "$1 = {value = ")


def test_values_that_point_into_the_program():
    gdb("lost.c", "continue", "continue")("here is the error", "error: assertion failed", "exited with code 01")


def test_changed_source():
    put(FOLDER, "race.c", FILES["race.c"])
    need(run(HEDDLE, ["check", "--save", "saved", "race.c"], FOLDER).returncode == 1, "race")
    put(FOLDER, "race.c", FILES["race.c"] + "\n")
    result = run(HEDDLE, ["replay", "--gdb", "saved", "--", "-batch"], FOLDER)
    need(result.returncode == 2 and "race.c: has changed" in result.stderr, result.returncode, result.stderr)


if not shutil.which("gdb"):
    print("gdb is missing: install gdb")
    sys.exit(1 if os.environ.get("CI") == "true" else 77)
shutil.rmtree(FOLDER, ignore_errors=True)
for name, text in FILES.items():
    put(FOLDER, name, text)
for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
print("gdb follows saved executions")
