"""Runs programs in turn and measures each: wall time, CPU time, largest resident memory. A plan as JSON on stdin, samples as JSON on stdout.

Node itself cannot: starting a process from it costs several times what `sh -c :` does, and it does not tell the memory of a child.
"""

import json
import os
import shutil
import sys
import time

plan = json.load(sys.stdin)
candidates = plan["candidates"]
samples = {candidate["name"]: [] for candidate in candidates}
null = os.open(os.devnull, os.O_WRONLY)

for turn in range(-1, plan["rounds"]):
    for step in range(len(candidates)):
        # The order turns with every round, so that nobody always runs on a warm or a tired machine.
        candidate = candidates[(step + turn + 1) % len(candidates)]
        for source, target in candidate.get("copies", []):
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target)
        # The stop before has flushed what it wrote: a copy that is not on the disk yet is not this stop's to flush.
        if "copies" in candidate:
            os.sync()
        # A loop hears something else at every stop.
        stdins = candidate.get("stdins", [candidate.get("stdin", os.devnull)])
        stdin = os.open(stdins[(turn + 1) % len(stdins)], os.O_RDONLY)
        actions = [(os.POSIX_SPAWN_DUP2, stdin, 0), (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
        begin = time.perf_counter()
        pid = os.posix_spawn(candidate["argv"][0], candidate["argv"], candidate["env"], file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - begin
        os.close(stdin)
        if os.waitstatus_to_exitcode(status) not in candidate.get("codes", [0]):
            sys.exit(f"{candidate['name']} ended with status {status}")
        if turn >= 0:
            cpu = usage.ru_utime + usage.ru_stime
            samples[candidate["name"]].append({"wallMs": wall * 1000, "cpuMs": cpu * 1000, "rssMb": usage.ru_maxrss / 1024})

json.dump(samples, sys.stdout)
