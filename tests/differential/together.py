"""Several random programs in one file, each a test of its own for `heddle test`: clang and heddle start once for all of
them, which is most of the time that a small program takes.

What heddle knows of a program as a whole (that it reads clocks, that it tells threads apart) it then knows of the file, so
programs of one file should not differ in that.
"""

import json
import re
import subprocess
import sys

DECLARATIONS = """#ifdef __cplusplus
extern "C" {
#endif
long heddle_test_chosen(void);
void heddle_test_found(const char*, const char*, int, int);
#ifdef __cplusplus
}
#endif
"""


def join(programs, names):
    """The text of one file. `programs`: their numbers and texts; main of each ends with a return. `names`: all that they
    define outside of functions, main and macros as well; those get a number in each program."""
    known = re.compile(r"\b(" + "|".join(["main", *names]) + r")\b")
    headers, bodies = [], []
    for i, text in programs:
        lines = text.splitlines()
        headers += [line for line in lines if line.startswith("#include") and line not in headers]
        body = "\n".join(line for line in lines if not line.startswith("#include"))
        bodies.append(known.sub(lambda name: f"{name[0]}_{i}", body))
    found = "".join(f'      heddle_test_found("p{i}", "p{i}", 1, 0);\n' for i, _ in programs)
    cases = "".join(f"    case {n}: return main_{i}();\n" for n, (i, _) in enumerate(programs))
    choice = f"int main(void) {{\n  switch (heddle_test_chosen()) {{\n    default:\n{found}      return 0;\n{cases}  }}\n}}\n"
    return "\n".join([*headers, DECLARATIONS, *bodies, choice])


def check(heddle, options, path, clang=()):
    """What `heddle test` says of each program of a file: its number, and its object in JSON."""
    command = [heddle, "test", "--format", "json", *options, str(path), "--", "-w", *clang]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        tests = json.loads(done.stdout)["tests"]
    except (json.JSONDecodeError, KeyError):
        tests = []
    if not tests or any(test["verdict"] == "failed" for test in tests):
        sys.exit(f"{path}: {done.stdout}{done.stderr}")
    return {int(test["name"][1:]): test for test in tests}


def is_cut(test):
    """Whether a limit was hit, so that more errors might be found."""
    return any(hit["limit"] in ("time", "executions", "memory") for hit in test["limits"])


def batches(first, programs, size):
    """The numbers from `first` on, in groups: which ones share a file does not depend on where one begins. Without an end if
    `programs` is None."""
    i, end = first, None if programs is None else first + programs
    while end is None or i < end:
        after = (i // size + 1) * size
        yield list(range(i, after if end is None else min(after, end)))
        i = after
