#!/usr/bin/env python3
"""A check is killed at random moments and goes on from its last checkpoint, until it ends. The counts are exact. Some of
its processes are killed, too: others take their place. And what a checkpoint is not good for is refused.

usage: checkpoints.py HEDDLE FOLDER-FOR-FILES [KILLS]     in all, over all programs
"""

import os
import signal
import subprocess
import sys
import time

from common import CONDITION, LOOP, RANDOM, RCMC, alone, answer, descendants, kill_one, need, programs, tree_programs

HEDDLE, FOLDER = sys.argv[1:3]
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 100


def start(*arguments):
    return subprocess.Popen([HEDDLE, "check", "--format", "json", *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def good(name, run, executions):
    out, err = run.communicate()
    need(run.returncode == 0, name, "exit", run.returncode, out, err)
    result = answer(out)
    need(result["executions"] == executions, name, result["executions"], "instead of", executions)


def copies_of(run):
    """Its processes that explore: it has one child, which has the others."""
    return [p for child in descendants(run.pid)[:1] for p in descendants(child)]


def forget(file):
    if os.path.exists(file):
        os.unlink(file)


def written(file, run, before=None):
    """Waits for the next file, and tells its time; or for the end."""
    end = time.monotonic() + 600
    while run.poll() is None:
        need(time.monotonic() < end, "no checkpoint was written in ten minutes")
        if os.path.exists(file) and os.stat(file).st_mtime_ns != before:
            return os.stat(file).st_mtime_ns
        time.sleep(0.01)
    return before


def killed_and_resumed(name, arguments, executions, kills):
    """How often it was killed."""
    file = os.path.join(FOLDER, name + ".checkpoint")
    forget(file)
    done = 0
    while True:
        how = ["--resume" if os.path.exists(file) else "--checkpoint", file]
        run = start("--jobs", RANDOM.choice(["1", "2", "3"]), *how, *arguments)
        if done >= kills:
            break
        end = time.monotonic() + RANDOM.uniform(0.1, 1)
        while run.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        if run.poll() is not None:
            break
        copies = copies_of(run)
        if copies and RANDOM.random() < 0.2:  # others take its place
            done += kill_one(RANDOM.choice(copies))
            break
        done += kill_one(run.pid)
        run.communicate()
    good(name, run, executions)
    return done


def killed_copies(name, arguments, executions, wanted):
    """Processes that explore are killed; the check goes on with others."""
    kills = 0
    for _ in range(40):  # as many runs as a fast machine needs
        run = start("--jobs", "3", *arguments)
        while run.poll() is None:
            time.sleep(RANDOM.uniform(0.02, 0.2))
            copies = copies_of(run)
            if copies and kills < wanted:
                kills += kill_one(RANDOM.choice(copies))
        good(name, run, executions)
        if kills == wanted:
            return
    need(False, "only", kills, "copies were killed")


def interrupted():
    """At an interrupt the file is written; the counts never fall."""
    file = os.path.join(FOLDER, "interrupted.checkpoint")
    endless = ["--no-symmetry", f"{RCMC}/casw.c", "--", "-DN=9"]
    for arguments, executions, times in [(endless, None, 3), (*programs()[0][1:], 3)]:
        how, before, last = "--checkpoint", 0, None
        forget(file)
        for _ in range(times):
            run = start("--jobs", "2", how, file, *arguments)
            last = written(file, run, last)
            run.send_signal(signal.SIGTERM)  # SIGINT is ignored in the background
            out, err = run.communicate()
            result = answer(out)
            if executions and not result["limits"]:  # it has come to its end, whatever became of the signal
                break
            need(run.returncode == 3, "exit", run.returncode, out, err)
            need([h["limit"] for h in result["limits"]] == ["interrupted"], result["limits"])
            need(before <= result["executions"], before, result["executions"])
            need(not executions or result["executions"] < executions, result["executions"])
            how, before, last = "--resume", result["executions"], os.stat(file).st_mtime_ns
        if executions:
            good("interrupted", start("--resume", file, *arguments), executions)


def loops():
    """A loop without a known bound is followed more and more often. It goes on with the exploration that it was at."""
    source = os.path.join(FOLDER, "loop.c")
    with open(source, "w") as f:
        f.write(LOOP)
    arguments = ["--model", "sc", source]
    out, err = start("--jobs", "1", *arguments).communicate()
    need(out != "", err)
    kills = 0
    for _ in range(40):
        kills += killed_and_resumed("loop", arguments, answer(out)["executions"], 10)
        if kills > 10:
            return
    need(False, "only", kills, "were killed")


def in_many_runs():
    """A new process meets the threads in another order, but they are the same to it."""
    source = os.path.join(FOLDER, "condition.c")
    file = os.path.join(FOLDER, "condition.checkpoint")
    with open(source, "w") as f:
        f.write(CONDITION)
    for algorithm, n in [("spore", 6), ("await", 6), ("rvf", 6)]:
        arguments = ["--model", "sc", "--no-symmetry", "--algorithm", algorithm, source, "--", f"-DN={n}"]
        reference = alone(HEDDLE, arguments)
        executions, seconds = reference["executions"], reference["seconds"]["explore"]
        forget(file)
        runs = 0
        while True:
            how = "--resume" if os.path.exists(file) else "--checkpoint"
            run = start("--jobs", "2", how, file, "--time-limit", str(0.2 + seconds / 4), *arguments)
            run.wait()
            if run.returncode != 3:
                break
            run.communicate()
            runs += 1
            need(runs < 100, "it does not come to an end")
        good(f"condition.{algorithm}", run, executions)
        print(f"condition.{algorithm}: {executions} executions in {runs + 1} runs", flush=True)


def refused():
    program = ["--no-symmetry", f"{RCMC}/casw.c", "--", "-DN=8"]
    file = os.path.join(FOLDER, "refused.checkpoint")
    forget(file)
    run = start("--checkpoint", file, *program)
    written(file, run)
    run.kill()
    run.communicate()
    with open(file, "rb") as f:
        whole = f.read()
    bad = {"cut": whole[:-9], "changed": whole[:40] + bytes([whole[40] ^ 1]) + whole[41:], "none": b"something else"}
    for what, contents in bad.items():
        with open(os.path.join(FOLDER, what + ".checkpoint"), "wb") as f:
            f.write(contents)
    cases = [
        (["--resume", file, f"{RCMC}/casw.c", "--", "-DN=8"], "other options: --no-symmetry"),
        (["--resume", file, "--model", "sc", *program], "other options"),
        (["--resume", file, "--no-symmetry", f"{RCMC}/casw.c", "--", "-DN=5"], "another program"),
        (["--resume", os.path.join(FOLDER, "cut.checkpoint"), *program], "damaged or cut off"),
        (["--resume", os.path.join(FOLDER, "changed.checkpoint"), *program], "damaged or cut off"),
        (["--resume", os.path.join(FOLDER, "none.checkpoint"), *program], "it is no heddle checkpoint"),
        (["--resume", os.path.join(FOLDER, "missing.checkpoint"), *program], "no such file"),
        (["--checkpoint", file, "--keep-going", *program], "--keep-going"),
        (["--checkpoint", file, "--max-executions", "9", *program], "--max-executions"),
        (["--queue", "redis://localhost/x", "--algorithm", "await", "--model", "sc", f"{RCMC}/casw.c"], "not independent"),
        (["--checkpoint", file, "--queue", "redis://localhost/x", *program], "the same command goes on"),
        (["--lease", "3", *program], "it is for --queue"),
    ]
    for arguments, why in cases:
        run = start(*arguments)
        out, err = run.communicate()
        need(run.returncode == 2 and why in err, arguments, "exit", run.returncode, "not refused as it should be:", err)


def main():
    refused()
    interrupted()
    killed_copies(*programs()[0], 20)
    trees = tree_programs(HEDDLE)
    for program in trees:
        killed_copies(*program, 8)
    loops()
    in_many_runs()
    kills, rounds = 0, 0
    while kills < KILLS:
        for name, arguments, executions in programs() + trees:
            kills += killed_and_resumed(name, arguments, executions, min(KILLS - kills, -(-KILLS // 5)))
            print(f"{name}: {kills} kills so far", flush=True)
        rounds += 1
        need(rounds < 40, "the runs are too short to kill so many:", kills)
    print(f"{kills} kills")


if __name__ == "__main__":
    main()
