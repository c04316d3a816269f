#!/usr/bin/env python3
"""Saves the failing execution of each check that a program file expects to fail, and replays it: the report must be the
same but for times.

usage: all_errors.py [--heddle PROGRAM] [--every N] [--in-debugger] FILE_OR_FOLDER...

--every: only each Nth of the cases. --in-debugger: compiled for a debugger, where only the error must be the same.
"""

import argparse
import re
import shlex
import sys
import tempfile
from pathlib import Path

from common import run, without_times

CASE = re.compile(r"^\s*//\s*\$ heddle (check .*?) => error")
# Its actions read addresses of the real C++ library, which lies elsewhere in each process: such a replay is refused.
LEFT_OUT = "check --races ignore cxx_ignore.cpp -- -DTHROWS"


def cases(paths):
    for path in paths:
        for file in sorted(path.rglob("*.c*")) if path.is_dir() else [path]:
            if file.suffix not in (".c", ".cpp", ".cc"):
                continue
            for line in file.read_text(errors="replace").splitlines():
                if match := CASE.match(line):
                    yield file, shlex.split(match.group(1))


def error_of(text):
    """The paragraph after the counts: place, kind and message."""
    return text.partition("\n\n")[2].partition("\n")[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", default="build/bin/heddle")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--in-debugger", action="store_true")
    parser.add_argument("paths", nargs="+", type=Path)
    options = parser.parse_args()
    heddle = str(Path(options.heddle).resolve())
    done = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        saved = f"{folder}/saved"
        for number, (file, words) in enumerate(cases(options.paths)):
            if number % options.every or "--format" in words or "--keep-going" in words or shlex.join(words) == LEFT_OUT:
                continue
            Path(saved).unlink(missing_ok=True)
            check = run(heddle, [words[0], "--save", saved, *words[1:]], file.parent)
            if check.returncode != 1:
                continue  # a case that is not for this machine; scripts/expect looks at it
            how = ["--in-debugger"] if options.in_debugger else []
            again = run(heddle, ["replay", *how, saved], folder)
            done += 1
            same = error_of if options.in_debugger else without_times
            if again.returncode == 1 and same(again.stdout) == same(check.stdout):
                continue
            failed += 1
            print(f"{file}: heddle {shlex.join(words)}\n  exit {again.returncode}\n{check.stderr}{again.stderr}")
            print(f"--- check\n{check.stdout}--- replay\n{again.stdout}")
    print(f"{done} executions saved and replayed, {failed} not the same")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
