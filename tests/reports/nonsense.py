#!/usr/bin/env python3
"""Random bytes as a source, random options, damaged saved files: never a crash of the tool, never exit status 0.

usage: nonsense.py --heddle PROGRAM [--seed N] [--rounds N]
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

BUGGY = Path(__file__).resolve().parents[2] / "examples" / "mp_relaxed.c"
OPTIONS = ["--model", "sc", "tso", "rc11", "wrc11", "x86", "--algorithm", "spore", "rcmc", "await", "rvf", "--races", "report",
           "--unroll", "3", "main:2", "a:b:c", "--jobs", "2", "0", "--format", "json", "sarif", "xml", "--width", "80", "7",
           "--symmetry", "--no-symmetry", "--helping", "--time-limit", "5", "-1", "1e9", "nan", "--max-executions", "--keep-going",
           "--self-check", "--hints", "--no-hints", "--no-await", "--no-purity", "--commute", "--psc", "--memory-limit", "1G", "",
           "--report", "/", "--dot", "--save", "--suppress", "--volatile", "relaxed", "--nondet", "4", "-p", ".", "--verbose", "-Wall",
           "-std=c99", "--unrol", "é", "\n"]
WORDS = ["int", "main", "(", ")", "{", "}", ";", "atomic_int", "x", "=", "1", "while", "#include <stdatomic.h>\n", "#include <pthread.h>\n",
         "*", "return", "struct", "\"", "'", "/*", "//", "template<", ">", "_Atomic", "asm(\"\")", "\0", "\\\n"]


def run(heddle, words, folder):
    done = subprocess.run([heddle, *words], cwd=folder, capture_output=True, timeout=120)
    said = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode not in (1, 2, 3) or "internal error" in said:
        print(f"{words}: exit status {done.returncode}\n{said}")
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=25)
    arguments = parser.parse_args()
    heddle = str(Path(arguments.heddle).resolve())
    r = random.Random(arguments.seed)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "saved"
        subprocess.run([heddle, "check", "--no-hints", "--save", str(saved), str(BUGGY)], capture_output=True, check=False)
        whole = saved.read_bytes()
        for n in range(arguments.rounds):
            source = Path(folder) / f"{n}.{r.choice(['c', 'cpp', 'litmus'])}"
            source.write_bytes(r.randbytes(r.randrange(400)) if n % 2 else " ".join(r.choices(WORDS, k=40)).encode())
            verb = "litmus" if source.suffix == ".litmus" else "check"
            wrong += run(heddle, [verb, source.name], folder)
            words = [w for w in r.choices(OPTIONS, k=r.randrange(1, 6)) if "\0" not in w]
            wrong += run(heddle, ["check", *words, str(BUGGY)], folder)
            damaged = bytearray(whole[: r.randrange(len(whole))] if n % 2 else whole)
            if n % 2 == 0:
                damaged[r.randrange(len(damaged))] ^= 1 << r.randrange(8)
            saved.write_bytes(damaged)
            wrong += run(heddle, ["replay", "saved"], folder)
    print(f"{3 * arguments.rounds} pieces of nonsense, {wrong} of them taken wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
