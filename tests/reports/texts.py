#!/usr/bin/env python3
"""The whole text of a report, for each kind of error.

Each kind has a program of tests/programs, and the report that a person gets in its folder, in NAME.txt beside this file;
times, speed and memory are left out of it. --write makes the texts anew: read them before they go in.

usage: texts.py --heddle PROGRAM [--write]
"""

import argparse
import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "programs"
REPORTS = {
    "assertion": "errors/assertion.c",
    "race": "errors/race_with_atomic.c",
    "race_publish": "orders/publish.c -- -DORDER=memory_order_relaxed",
    "race_after_flag": "errors/race_after_flag.c",
    "race_bit_fields": "errors/bit_fields.c",
    "race_calls": "errors/calls.cpp",
    "value_types": "errors/value_types.cpp",
    "interleaved": "errors/interleaved.c",
    "memory_freed": "errors/use_after_free.c",
    "memory_gone": "errors/use_after_free_ordered.c",
    "memory_in_use": "errors/reference_count.c",
    "memory_late": "errors/late_answer.c",
    "memory_thread_local": "errors/thread_local.c -- -DGONE",
    "memory_wild": "errors/wild_pointer.c",
    "memory_bounds": "errors/out_of_bounds.c",
    "memory_uninitialised": "errors/uninitialised.c",
    "memory_double_free": "errors/double_free_threads.c",
    "deadlock": "errors/deadlock_two_mutexes.c",
    "deadlock_rwlock": "errors/deadlock_rwlock.c",
    "deadlock_main": "errors/deadlock_main_holds.c",
    "deadlock_notify": "errors/forgotten_notify.cpp",
    "livelock": "waiting/flag.c -- -DNEVER",
    "mutex": "errors/unlock_by_other.c",
    "mutex_life": "errors/lock_life.cpp -- -std=c++20 -DLOCAL",
    "thread": "api/join_misuse.c",
    "exception": "cxx/uncaught.cpp",
    "crash": "limits/deep.c -- -DDEPTH=9000",
    "exit": "errors/exit_in_thread.c",
    "annotation": "symmetry/helping_orders.c -- -DFENCE",
    "symmetry": "symmetry/found.c --symmetry -- -DRESULT",
    "verified": "features/mutex.c",
    "incomplete": "errors/unroll.c",
    "followed": "waiting/followed.c",
}
FIRST = re.compile(r"^\s*//\s*\$ heddle check (.*?) => (?:error|incomplete|verified)", re.MULTILINE)


def command_of(what):
    """The first command that the program carries, unless arguments are given here."""
    words = what.split()
    path = PROGRAMS / words[0]
    if len(words) > 1:
        return path, [path.name, *words[1:]]
    return path, FIRST.search(path.read_text()).group(1).split()


def masked(text):
    text = re.sub(r"\d+\.\d\d s\b", "_ s", text)
    return re.sub(r"^  \S+ executions/s, .*\n", "", text, flags=re.MULTILINE)


def report(heddle, what):
    path, words = command_of(what)
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["heddle", "check", "--width", "110", *words], executable=heddle, cwd=path.parent, text=True,
                          capture_output=True, timeout=300, env=environment)
    return f"$ heddle check --width 110 {' '.join(words)}\n{masked(done.stdout)}{done.stderr}exit status {done.returncode}\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    heddle = str(Path(arguments.heddle).resolve())
    wrong = 0
    for name, what in REPORTS.items():
        file = HERE / f"{name}.txt"
        text = report(heddle, what)
        if arguments.write:
            file.write_text(text)
            continue
        expected = file.read_text()
        if text != expected:
            wrong += 1
            print("".join(difflib.unified_diff(expected.splitlines(True), text.splitlines(True), f"{name}.txt", "now")))
    print(f"{len(REPORTS) - wrong} of {len(REPORTS)} reports as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
