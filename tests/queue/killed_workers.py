#!/usr/bin/env python3
"""Workers of a check on Redis are killed at random moments, and so is the server. The counts are exact all the same.

usage: killed_workers.py HEDDLE [KILLS [KILLS-OF-THE-SERVER]]     in all, over all programs
"""

import signal
import subprocess
import sys
import time

from common import RANDOM, Redis, answer, descendants, kill_one, need, programs

HEDDLE = sys.argv[1]
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
SERVER_KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 10
WORKERS = 2


class Workers:
    """Always as many; one that is killed is replaced."""

    def __init__(self, url):
        self.url = url
        self.processes = []
        self.kills = 0

    def refill(self):
        for p in [p for p in self.processes if p.poll() is not None]:
            self.processes.remove(p)
            p.communicate()
        while len(self.processes) < WORKERS:
            self.processes.append(subprocess.Popen([HEDDLE, "worker", "--jobs", "1", self.url],
                                                   stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True))

    def kill(self):
        """The whole worker, which nobody tells of it, or only its process that explores."""
        worker = RANDOM.choice(self.processes)
        children = descendants(worker.pid)
        victim = RANDOM.choice([worker.pid] + children)
        self.kills += kill_one(victim)

    def end(self):
        for p in self.processes:
            p.kill()
            p.communicate()


def check(redis, name, arguments, executions, kills, server_kills):
    url = redis.url(name)
    start = time.monotonic()
    run = subprocess.Popen([HEDDLE, "check", "--format", "json", "--jobs", "1", "--queue", url, "--lease", "1",
                            *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    workers = Workers(url)
    # A run is over when it is: what is left of the kills is for another run of the same program.
    while run.poll() is None and redis.ask("EXISTS", f"heddle:{{{name}}}:settings").strip() != "1":
        time.sleep(0.02)
    servers = 0
    while run.poll() is None:
        workers.refill()
        time.sleep(RANDOM.uniform(0.01, 0.3))
        if workers.kills < kills:
            workers.kill()
        if servers < server_kills and RANDOM.random() < 0.3:
            redis.kill()
            time.sleep(RANDOM.uniform(0, 0.3))
            redis.start()
            servers += 1
    out, err = run.communicate()
    workers.end()
    need(run.returncode == 0, name, "exit", run.returncode, out, err)
    result = answer(out)
    need(result["verdict"] == "verified" and result["executions"] == executions, name, result["verdict"],
         result["executions"], "instead of", executions)
    print(f"{name}: {result['executions']} executions in {time.monotonic() - start:.1f} s; {workers.kills} workers and "
          f"{servers} servers killed", flush=True)
    return workers.kills, servers


def main():
    redis = Redis()
    try:
        killed, servers, rounds = 0, 0, 0
        while killed < KILLS or servers < SERVER_KILLS:
            for name, arguments, executions in programs():
                k, s = check(redis, name, arguments, executions, min(KILLS - killed, -(-KILLS // 3)),
                             min(SERVER_KILLS - servers, -(-SERVER_KILLS // 3)))
                killed, servers = killed + k, servers + s
            rounds += 1
            need(rounds < 10, "the runs are too short to kill so many:", killed, servers)
        need(redis.ask("KEYS", "*settings*").strip() == "", "something is left in Redis")
        print(f"{killed} workers and {servers} servers killed")
    finally:
        redis.end()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main()
