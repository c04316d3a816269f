#!/usr/bin/env python3
"""The files that a check writes, and SARIF: for errors, without errors, without a verdict, and for runs that are cut short.

usage: outputs.py HEDDLE EXAMPLES FOLDER-FOR-FILES
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import sarif

HEDDLE, EXAMPLES, FOLDER = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve() / "outputs"
NAMES = {"--report": "page.html", "--dot": "graph.dot", "--junit": "junit.xml"}

# Never ends by itself, and hardly hears when it is asked to.
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
# The preprocessor is busy with this for long, so that the child is killed.
SLOW = "#define A(x) x x x x x x x x\nint n = 0 A(A(A(A(A(A(A(A(A(+1)))))))));\nint main(void) { return 0; }\n"
# In some execution the thread that was started first writes last.
LAST = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* one(void* a) { atomic_store_explicit(&x, 1, memory_order_relaxed); return a; }
static void* two(void* a) { atomic_store_explicit(&x, 2, memory_order_relaxed); return a; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(atomic_load(&x) != LAST);
}
"""
# What is dangerous in HTML, XML, JSON and DOT.
STRANGE = """
#include <assert.h>
#include <stdio.h>
int main(void) {
  printf("</script><b>\\"&\\\\ \\377 ]]>\\n"); /* <script>alert(1)</script> */
  assert(!"</script> & \\"quoted\\"");
}
"""


def need(condition, *what):
    if not condition:
        sys.exit("failed: " + " ".join(str(w) for w in what))


def put(name, text):
    path = FOLDER / name
    path.write_text(text)
    return str(path)


def outputs():
    return {name: FOLDER / name for name in NAMES.values()}


def run(arguments, cwd=None, before=None):
    for path in outputs().values():
        path.unlink(missing_ok=True)
    asked = [word for option, name in NAMES.items() for word in (option, str(FOLDER / name))]
    process = subprocess.Popen([HEDDLE, "check", "--format", "sarif", *asked, *arguments], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, cwd=cwd)
    if before:
        before(process)
    out, err = process.communicate(timeout=120)
    drafts = list(FOLDER.glob("*.draft"))
    need(not drafts, "left behind:", drafts)
    return process.returncode, out, err


def page_data():
    text = outputs()["page.html"].read_text()
    need(text.count("<script") == 2 and text.count("</script") == 2, "scripts in the page")
    need(text.endswith("</html>\n"), "the page has no end")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*)</script>', text).group(1))


def dot_draws():
    if shutil.which("dot") is None:
        return
    done = subprocess.run(["dot", "-Tsvg", str(outputs()["graph.dot"])], capture_output=True, text=True)
    need(done.returncode == 0 and not done.stderr and "</svg>" in done.stdout, "dot:", done.stderr)


def agree(name, verdict, arguments, **more):
    """Runs heddle; all that it writes must tell of the same verdict. Returns the page's data and the SARIF run."""
    status, out, err = run(arguments, **more)
    need(status == {"verified": 0, "error": 1, "failed": 2, "incomplete": 3}[verdict], name, "exit", status, err)
    log = json.loads(out)
    problems = sarif.check(log)
    need(not problems, name, "SARIF:", "\n".join(problems))
    sarif_run = log["runs"][0]
    invocation = sarif_run["invocations"][0]
    need(invocation["exitCode"] == status and sarif_run["properties"]["verdict"] == verdict, name, invocation)
    need(bool(sarif_run["results"]) == (verdict == "error"), name, "results")
    page = page_data()
    need(page["verdict"] == verdict and bool(page["findings"]) == (verdict == "error"), name, page["verdict"])
    dot = outputs()["graph.dot"].read_text()
    need(dot.startswith("digraph heddle {") and verdict in dot, name, dot)
    dot_draws()
    suite = ElementTree.parse(outputs()["junit.xml"]).getroot()
    kinds = [child.tag for child in suite.find("testsuite").find("testcase")]
    need(suite.get("tests") == "1" and kinds == {"verified": [], "error": ["failure"]}.get(verdict, ["error"]), name, kinds)
    print(f"{name}: {verdict}, all agree")
    return page, sarif_run


def examples():
    page, log = agree("a race", "error", ["mp_relaxed.c"], cwd=EXAMPLES)
    result, finding = log["results"][0], page["findings"][0]
    need(result["ruleId"] == "race" and len(result["relatedLocations"]) == 1, result)
    need(len(result["codeFlows"][0]["threadFlows"]) == 3, "thread flows")
    need(finding["why"] and finding["edges"]["rf"] and finding["edges"]["hb"], finding["edges"])
    need(page["sources"][0]["path"] == "mp_relaxed.c" and page["sources"][0]["parts"][0]["from"] == 1, "source")
    agree("a deadlock", "error", ["deadlock.c"], cwd=EXAMPLES)
    agree("no error", "verified", ["mp.c"], cwd=EXAMPLES)
    for algorithm in ("spore", "rcmc"):
        page, _ = agree(f"dekker, {algorithm}", "error", ["--algorithm", algorithm, "dekker.c"], cwd=EXAMPLES)
        need(all("co" in step for step in page["findings"][0]["steps"] if "written" in step), "co of", algorithm)
    page, _ = agree("dekker, wrc11", "error", ["--algorithm", "rcmc", "--model", "wrc11", "dekker.c"], cwd=EXAMPLES)
    need(not any("co" in step for step in page["findings"][0]["steps"]), "wrc11 has no co")
    for algorithm in ("await", "rvf"):
        page, _ = agree(f"a race, {algorithm}", "error", ["--model", "sc", "--algorithm", algorithm, "race.c"], cwd=EXAMPLES)


def coherence():
    """Who comes last in coherence order is whom main reads, whatever the order of the steps."""
    source = put("last.c", LAST)
    for last in ("1", "2"):
        for how in (["spore"], ["rcmc"], ["await", "--model", "sc"], ["rvf", "--model", "sc"]):
            page, _ = agree(f"{last} is last, {how[0]}", "error", ["--algorithm", *how, source, "--", f"-DLAST={last}"])
            finding = page["findings"][0]
            names = [place["name"] for place in finding["locations"]]
            writes = sorted((step["co"], step["written"]) for step in finding["steps"]
                            if "written" in step and names[step["location"]] == "x")
            need([value for _, value in writes][-1] == last and len(writes) == 2, "coherence", writes)
            (a, b), = finding["edges"]["co"]
            need(finding["steps"][b]["written"] == last and finding["steps"][a]["co"] < finding["steps"][b]["co"], "co")
            need([b, len(finding["steps"]) - 2] in finding["edges"]["rf"], "rf", finding["edges"])


def strange():
    page, log = agree("strange characters", "error", [put("strange<&\" 100%.c", STRANGE)])
    need(page["findings"][0]["output"].startswith('</script><b>"&\\ \ufffd ]]>'), page["findings"][0]["output"])


def without_verdict():
    page, _ = agree("a missing file", "failed", ["nothing_here.c"])
    need("nothing_here.c: no such file" in page["headline"], page["headline"])
    agree("a mistake", "failed", [put("mistake.c", "int main(void) { return }\n")])


def cut_short():
    many, slow = put("many.c", MANY), put("slow.c", SLOW)
    page, _ = agree("a time limit", "incomplete", ["--time-limit", "1.5", many])
    need("time limit" in page["limits"][0], page["limits"])
    page, _ = agree("a killed compiler", "incomplete", ["--time-limit", "0.4", slow])
    need("time limit" in page["limits"][0], page["limits"])

    def interrupt(process):
        time.sleep(2.5)
        process.send_signal(signal.SIGINT)

    page, _ = agree("an interrupt", "incomplete", [many], before=interrupt)
    need("interrupted" in page["limits"][0], page["limits"])

    def kill_child(process):
        time.sleep(2.5)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)

    page, _ = agree("a killed child", "incomplete", [many], before=kill_child)
    need("killed" in page["limits"][0], page["limits"])


def nobody_listens():
    """A reader that goes away does not cost the files."""
    page = FOLDER / "heard.html"
    words = [HEDDLE, "check", "--report", str(page), str(EXAMPLES / "mp_relaxed.c")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process.stdout.close()
    need(process.wait(timeout=60) == -signal.SIGPIPE, "exit", process.returncode)
    need('"verdict":"error"' in page.read_text(), "the page is gone")


def refused():
    """A file that cannot be written is told before anything else, and nothing is changed."""
    good = str(EXAMPLES / "mp.c")
    source = put("source.c", "int main(void) { return 0; }\n")
    (FOLDER / "folder").mkdir()
    os.symlink(FOLDER / "real.html", FOLDER / "link.html")
    for words, text in [
        (["--report", str(FOLDER / "nowhere" / "x.html"), good], "cannot be written"),
        (["--dot", "/proc/x.dot", good], "cannot be written"),
        (["--junit", str(FOLDER / "folder"), good], "is a folder"),
        (["--report", source, source], "this is a source file"),
        (["--report", str(FOLDER / "x"), "--dot", str(FOLDER / "folder" / ".." / "x"), good], "writes the same file"),
        (["--print-ir", "--report", str(FOLDER / "x"), good], "nothing is explored"),
    ]:
        done = subprocess.run([HEDDLE, "check", *words], capture_output=True, text=True)
        need(done.returncode == 2 and text in done.stderr and not done.stdout, words, done.returncode, done.stderr)
        need(not (FOLDER / "x").exists(), words, "wrote a file")
    need(Path(source).read_text().startswith("int main"), "the source is gone")
    # A link stays one; a stream is written to.
    done = subprocess.run([HEDDLE, "check", "--report", str(FOLDER / "link.html"), "--dot", "/dev/stdout", good],
                          capture_output=True, text=True)
    need(done.returncode == 0 and "digraph heddle {" in done.stdout, done.stdout, done.stderr)
    need((FOLDER / "link.html").is_symlink() and (FOLDER / "real.html").is_file(), "the link")
    # SARIF whatever happens.
    for words in (["check", "--format", "sarif", "--frobnicate", good], ["check", "--format=sarif"]):
        done = subprocess.run([HEDDLE, *words], capture_output=True, text=True)
        problems = sarif.check(json.loads(done.stdout))
        need(done.returncode == 2 and not problems, words, problems)
    for words in (["test", "--format", "sarif", good], ["litmus", "--format", "sarif", str(EXAMPLES / "sb.litmus")]):
        done = subprocess.run([HEDDLE, *words], capture_output=True, text=True)
        need(done.returncode == 2 and "only check has it" in done.stderr, words, done.stderr)


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    examples()
    coherence()
    strange()
    without_verdict()
    cut_short()
    nobody_listens()
    refused()


main()
