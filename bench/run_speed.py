#!/usr/bin/env python3
"""Times `berth run` on Seren-sized traces against the bare loop, and how time grows with jobs.

usage: bench/run_speed.py [--build build/release] [--reps 3] [--only NAME,...] [--loads 0.59,1.1]
                          [--growth] [--largest 10000000] [--limit SECONDS] [--keep]

Needs the release build (berth, make_trace, bare_loop). Traces are made once, in build/bench. Each
case is a process of its own, run --reps times; the fastest run counts, and the largest memory.
Cases take turns, so that a slow minute of the machine does not fall on one of them. Prints
markdown for docs/performance.md.
"""
import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
JOBS = 1_031_550
FIFO = "policy.order=fifo policy.backfill=none"
EASY = "policy.order=fifo policy.backfill=easy"
CONSERVATIVE = "policy.order=fifo policy.backfill=conservative cluster.packing=pool"
FACTOR = "policy.estimates.mode=factor policy.estimates.factor=2"
CASES = {  # name -> (--set, the most it may take, as a multiple of fifo)
    "fifo": (FIFO, None),
    "greedy": ("policy.order=fifo policy.backfill=greedy", 1.5),
    "sjf": ("policy.order=sjf policy.backfill=none", 1.5),
    "easy": (EASY, 2),
    "srtf": ("policy.order=srtf policy.backfill=none", 10),
    "conservative compress": (CONSERVATIVE + " policy.conservative=compress", 10),
    "conservative replan, depth 100": (CONSERVATIVE + " policy.conservative=replan policy.reservation_depth=100", None),
    "easy, estimates x 2": (f"{EASY} {FACTOR}", None),
    "conservative compress, estimates x 2": (f"{CONSERVATIVE} policy.conservative=compress {FACTOR}", None),
}
GROWTH_CASES = ["fifo", "greedy", "easy"]


class Run:
    """One finished process: wall and CPU seconds, peak memory in bytes; `failed` says why, or None."""

    def __init__(self, command, limit):
        start = time.perf_counter()
        child = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        timer = threading.Timer(limit, child.kill)
        timer.start()
        errors = child.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(child.pid, 0)  # of this child alone, unlike getrusage
        child.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.perf_counter() - start
        timer.cancel()
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024  # never below this script's own, some 15 MB: a child starts as its copy
        self.failed = None
        if child.returncode == -9:
            self.failed = f"> {limit:.0f} s"
        elif child.returncode != 0:
            self.failed = f"exit {child.returncode}: {errors.strip().splitlines()[-1] if errors.strip() else ''}"


class Bench:
    def __init__(self, args):
        self.args = args
        self.folder = ROOT / "build" / "bench"
        self.folder.mkdir(parents=True, exist_ok=True)
        build = (ROOT / args.build).resolve()
        self.berth, self.make_trace, self.bare_loop = build / "sim/cli/berth", build / "bench/make_trace", build / "bench/bare_loop"
        for binary in (self.berth, self.make_trace, self.bare_loop):
            if not binary.exists():
                sys.exit(f"run_speed: {binary} is missing; cmake --preset release && cmake --build --preset release")

    def trace(self, jobs, load):
        """The path of the trace, made if it is not there or an older make_trace made it."""
        path = self.folder / f"seren-{jobs}-{load}.csv"
        if not path.exists() or path.stat().st_mtime < self.make_trace.stat().st_mtime:
            subprocess.run([self.make_trace, "--jobs", str(jobs), "--load", load, "--out", f"{path}.part"],
                           check=True, stdout=subprocess.DEVNULL)
            os.replace(f"{path}.part", path)
        with open(path, "rb") as file:  # into the page cache
            while file.read(1 << 20):
                pass
        return path

    def command(self, trace, settings):
        config = self.folder / f"{trace.stem}.yaml"
        config.write_text("name: speed\ncluster: {nodes: 286, gpus_per_node: 8}\n"
                          f"workload: {{trace: {{format: acme, path: {trace}}}}}\n"
                          "policy: {order: fifo, backfill: none}\noutput: {timeline: off}\n")
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        sets = [part for setting in settings.split() for part in ("--set", setting)]
        return [self.berth, "run", config, "--quiet", "--out", out] + sets

    def measure(self, trace, names):
        """name -> (least wall seconds, least CPU seconds, most bytes) or why it failed; the bare loop too."""
        best = {}
        for _ in range(self.args.reps):
            for name in ["bare loop"] + names:
                if isinstance(best.get(name), str):
                    continue
                if name == "bare loop":
                    command = [self.bare_loop, trace]
                else:
                    command = self.command(trace, CASES[name][0])
                run = Run(command, self.args.limit)
                print(f"  {trace.stem}: {name}: {run.failed or f'{run.seconds:.3f} s'}", file=sys.stderr, flush=True)
                if run.failed:
                    best[name] = run.failed
                else:
                    wall, cpu, memory = best.get(name, (run.seconds, run.cpu, 0))
                    best[name] = (min(wall, run.seconds), min(cpu, run.cpu), max(memory, run.memory))
        self.check_fifo(trace, names)
        return best

    def check_fifo(self, trace, names):
        """A time is worth nothing if the answer is wrong: fifo's mean wait is the bare loop's."""
        if "fifo" not in names:
            return
        out = self.folder / "out"
        said = subprocess.run([self.bare_loop, trace], capture_output=True, text=True, check=True).stdout
        run = Run(self.command(trace, CASES["fifo"][0]), self.args.limit)
        if run.failed:
            return
        mean = json.loads((out / "summary.json").read_text())["metrics"]["all"]["queue_mean_s"]
        bare = float(re.search(r"mean_wait_s (\S+)", said).group(1))
        if abs(mean - bare) > 0.001 * max(1.0, bare):
            sys.exit(f"run_speed: {trace.name}: fifo's mean wait is {mean} s, the bare loop's {bare} s")


def machine(bench):
    cpu = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    version = subprocess.run([bench.berth, "--version"], capture_output=True, text=True).stdout.strip()
    return (f"{cpu.group(1) if cpu else platform.machine()}, {os.cpu_count()} cores seen; {compiler}; "
            f"{version or 'berth'}; best of {bench.args.reps} runs, one at a time")


def policies(bench, names):
    for load in bench.args.loads.split(","):
        trace = bench.trace(JOBS, load)
        size = trace.stat().st_size
        best = bench.measure(trace, names)
        bare = best["bare loop"][0]
        fifo = best["fifo"][0] if isinstance(best.get("fifo"), tuple) else None
        print(f"\n### {JOBS:,} jobs ({size / 1e6:.0f} MB), offered load {load}\n")
        print("| | wall, s | CPU, s | x bare loop | x fifo | at most | peak memory, MB | bytes a job |\n|---|---|---|---|---|---|---|---|")
        for name in ["bare loop"] + names:
            if isinstance(best[name], str):
                print(f"| {name} | {best[name]} | | | | | | |")
                continue
            seconds, cpu, memory = best[name]
            target = "4 x bare loop" if name == "fifo" else f"{CASES[name][1]} x fifo" if name in CASES and CASES[name][1] else ""
            ratio = f"{seconds / fifo:.2f}" if fifo and name != "bare loop" else ""
            print(f"| {name} | {seconds:.3f} | {cpu:.3f} | {seconds / bare:.2f} | {ratio} | {target} | {memory / 1e6:.0f} | {memory / JOBS:.0f} |")
        sys.stdout.flush()


def growth(bench, names):
    sizes = [n for n in (100_000, 1_000_000, 10_000_000) if n <= bench.args.largest]
    for load in bench.args.loads.split(","):
        times = {}
        for jobs in sizes:
            trace = bench.trace(jobs, load)
            times[jobs] = bench.measure(trace, names)
            if jobs == 10_000_000 and not bench.args.keep:
                trace.unlink()  # over a gigabyte
        print(f"\n### Growth, offered load {load}: microseconds a job (times that of {sizes[0]:,} jobs; memory, bytes a job)\n")
        print("| | " + " | ".join(f"{n:,} jobs" for n in sizes) + " |\n|---|" + "---|" * len(sizes))
        for name in ["bare loop"] + names:
            cells = []
            for jobs in sizes:
                got, first = times[jobs][name], times[sizes[0]][name]
                if isinstance(got, str):
                    cells.append(got)
                    continue
                each = got[0] / jobs
                relative = f"{each / (first[0] / sizes[0]):.2f} x, " if isinstance(first, tuple) else ""
                cells.append(f"{each * 1e6:.3f} ({relative}{got[2] / jobs:.0f} B)")
            print(f"| {name} | " + " | ".join(cells) + " |")
        sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--only", default="", help="cases, by the start of their names, comma between")
    parser.add_argument("--loads", default="0.59,1.1")
    parser.add_argument("--growth", action="store_true", help="growth with the number of jobs, instead of the policies")
    parser.add_argument("--largest", type=int, default=10_000_000, help="leave larger traces out of --growth")
    parser.add_argument("--limit", type=float, default=300, help="seconds after which a run is stopped")
    parser.add_argument("--keep", action="store_true", help="keep the trace of 10 M jobs")
    args = parser.parse_args()
    bench = Bench(args)
    wanted = [w.strip() for w in args.only.split(",") if w.strip()]
    names = [n for n in (GROWTH_CASES if args.growth and not wanted else CASES)
             if not wanted or any(n.startswith(w) for w in wanted)]
    if not names:
        sys.exit(f"run_speed: --only {args.only} names none of: {'; '.join(CASES)}")
    print(machine(bench))
    (growth if args.growth else policies)(bench, names)


if __name__ == "__main__":
    main()
