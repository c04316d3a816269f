#!/usr/bin/env python3
"""check --save and replay: the same report again, from any folder; and what is refused, with exit status 2.

usage: replay.py HEDDLE FOLDER-FOR-FILES
"""

import json
import os
import shutil
import sys

from common import FILES, MODE, need, put, run, without_times

HEDDLE, FOLDER = os.path.abspath(sys.argv[1]), os.path.join(sys.argv[2], "replay")
ELSEWHERE = os.path.join(FOLDER, "elsewhere")

ROUND_TRIPS = [
    (["race.c"], "data race"),
    (["assertion.c"], "assertion failed"),
    (["--model", "tso", "assertion.c"], "assertion failed"),
    (["--model", "pso", "assertion.c"], "assertion failed"),
    (["--model", "ra", "assertion.c"], "assertion failed"),
    (["--algorithm", "rcmc", "assertion.c"], "assertion failed"),
    (["--model", "wrc11", "--algorithm", "rcmc", "assertion.c"], "assertion failed"),
    (["--model", "sc", "lost.c"], "assertion failed"),
    (["--model", "sc", "--algorithm", "await", "lost.c"], "assertion failed"),
    (["--model", "sc", "--algorithm", "rvf", "lost.c"], "assertion failed"),
    (["--no-hints", "--width", "70", "lost.c"], "assertion failed"),
    (["--verbose", "lost.c", "--", "-DUNUSED=1"], "assertion failed"),
    (["--races", "ignore", "lost.c"], "assertion failed"),
    (["deadlock.c"], "deadlock"),
    (["--model", "sc", "--algorithm", "await", "deadlock.c"], "deadlock"),
    (["livelock.c"], "livelock"),
    (["--model", "tso", "livelock.c"], "livelock"),
    (["--model", "sc", "--algorithm", "rvf", "livelock.c"], "livelock"),
    (["freed.cpp"], "memory error"),
]


def save(words, saved="saved"):
    check = run(HEDDLE, ["check", "--save", saved, *words], FOLDER)
    need(check.returncode == 1, "check", words, check.returncode, check.stdout, check.stderr)
    return check


def refused(what, *said, folder=FOLDER, saved="saved"):
    again = run(HEDDLE, ["replay", saved], folder)
    need(again.returncode == 2, what, "exit", again.returncode, again.stdout, again.stderr)
    need(again.stdout == "", what, again.stdout)
    for text in said:
        need(text in again.stderr, what, "does not say", text, again.stderr)


def round_trips():
    for words, title in ROUND_TRIPS:
        check = save(words)
        need(f"error: {title}" in check.stdout, words, check.stdout)
        need(check.stdout.endswith("replay saved\n"), words, check.stdout)
        again = run(HEDDLE, ["replay", "saved"], FOLDER)
        need(again.returncode == 1, "replay", words, again.returncode, again.stderr)
        need(without_times(again.stdout) == without_times(check.stdout), words, check.stdout, again.stdout)
        far = run(HEDDLE, ["replay", "../saved"], ELSEWHERE)
        expected = without_times(check.stdout).replace("replay saved\n", "replay ../saved\n")
        need(far.returncode == 1 and without_times(far.stdout) == expected, "elsewhere", words, far.stdout, far.stderr)


def formats():
    save(["--format", "json", "deadlock.c"])
    again = json.loads(run(HEDDLE, ["replay", "saved"], FOLDER).stdout)
    need(again["verdict"] == "error" and again["errors"][0]["kind"] == "deadlock", again)
    need(again["replay"].endswith("replay saved"), again)
    text = run(HEDDLE, ["replay", "--format", "text", "saved"], FOLDER)
    need(text.returncode == 1 and text.stdout.startswith("error: deadlock"), text.stdout)
    page = run(HEDDLE, ["replay", "--report", "page.html", "../saved"], ELSEWHERE)
    need(page.returncode == 1 and os.path.exists(os.path.join(ELSEWHERE, "page.html")), page.stderr)


def nothing_to_save():
    sc = run(HEDDLE, ["check", "--model", "sc", "--save", "none", "assertion.c"], FOLDER)
    need(sc.returncode == 0 and not os.path.exists(os.path.join(FOLDER, "none")), sc.returncode, sc.stdout)
    need("replay" not in sc.stdout, sc.stdout)


def unwritable():
    for file in ("no/such/folder/saved", ".", "race.c"):
        check = run(HEDDLE, ["check", "--save", file, "race.c"], FOLDER)
        need(check.returncode == 2 and check.stdout == "" and file in check.stderr, file, check.returncode, check.stderr)
    with open(os.path.join(FOLDER, "race.c")) as f:
        need(f.read() == FILES["race.c"], "race.c was written")


def changed():
    save(["assertion.c"])
    put(FOLDER, "assertion.c", FILES["assertion.c"] + "// more\n")
    refused("a changed source", "assertion.c: has changed", "check again")
    os.unlink(os.path.join(FOLDER, "assertion.c"))
    refused("a source that is gone", "assertion.c: is no longer there")
    put(FOLDER, "assertion.c", FILES["assertion.c"])
    put(FOLDER, "mode.h", MODE.replace("relaxed", "seq_cst"))
    refused("a header without code", "the program is another one")
    put(FOLDER, "mode.h", MODE)
    need(run(HEDDLE, ["replay", "saved"], FOLDER).returncode == 1, "all is as it was")
    shutil.copytree(FOLDER, FOLDER + "-moved", dirs_exist_ok=True)
    moved = os.path.join(FOLDER + "-moved", "saved")
    need(run(HEDDLE, ["check", "--save", "saved", "race.c"], FOLDER + "-moved").returncode == 1, "moved")
    shutil.copy(moved, os.path.join(FOLDER, "of-moved"))
    shutil.rmtree(FOLDER + "-moved")
    refused("a folder that is gone", "cannot be entered", saved="of-moved")


def damaged():
    save(["deadlock.c"])
    with open(os.path.join(FOLDER, "saved"), "rb") as f:
        whole = f.read()

    def try_bytes(what, data, *said):
        with open(os.path.join(FOLDER, "damaged"), "wb") as f:
            f.write(data)
        refused(what, "damaged cannot be read", *said, saved="damaged")

    for size in range(0, len(whole), 10):
        try_bytes(f"{size} of {len(whole)} bytes", whole[:size])
    for at in range(0, len(whole), 7):
        try_bytes(f"byte {at} flipped", whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1:])
    try_bytes("more than there was", whole + b"x")
    try_bytes("a source", FILES["race.c"].encode(), "it is no heddle saved execution")
    refused("no file", "no such file", saved="not-there")


def usage():
    for words in ([], ["saved", "saved"], ["--model", "sc", "saved"], ["saved", "--", "-batch"], ["--save", "x", "saved"]):
        again = run(HEDDLE, ["replay", *words], FOLDER)
        need(again.returncode == 2 and "replay" in again.stderr, words, again.returncode, again.stderr)
    need(run(HEDDLE, ["check", "--gdb", "race.c"], FOLDER).returncode == 2, "check --gdb")
    need(run(HEDDLE, ["replay", "--help"], FOLDER).returncode == 0, "replay --help")


shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(ELSEWHERE)
for name, text in FILES.items():
    put(FOLDER, name, text)
for test in (round_trips, formats, nothing_to_save, unwritable, changed, damaged, usage):
    test()
print("executions are saved and replayed, and what cannot be is refused")
