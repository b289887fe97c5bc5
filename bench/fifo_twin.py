#!/usr/bin/env python3
"""The slow twin of bare_loop.cpp: the same rules, written for the eye. Prints the same line.

usage: fifo_twin.py FILE [NODES [GPUS_PER_NODE]]
"""
import csv
import sys
from datetime import datetime


def place(free, n, per_node):
    """Takes n GPUs out of `free`; returns [(node, taken)], or None where they do not fit."""
    if n == 0:
        return []
    if n <= per_node:
        fits = [(f, i) for i, f in enumerate(free) if f >= n]
        taken = [(min(fits)[1], n)] if fits else None
    else:
        need = -(-n // per_node)
        empty = [i for i, f in enumerate(free) if f == per_node][:need]
        taken = [(i, per_node) for i in empty[:-1]] + [(empty[-1], n - per_node * (need - 1))] if len(empty) == need else None
    for node, gpus in taken or []:
        free[node] -= gpus
    return taken


def main():
    nodes, per_node = [int(a) for a in sys.argv[2:]] + [286, 8][len(sys.argv) - 2:]
    with open(sys.argv[1], newline="") as file:
        rows = list(csv.DictReader(file))

    def seconds(row, column):
        return int(datetime.fromisoformat(row[column]).timestamp())

    jobs = sorted(((seconds(r, "submit_time"), i, seconds(r, "end_time") - seconds(r, "start_time"), int(r["gpu_num"]))
                   for i, r in enumerate(rows)))
    zero = jobs[0][0]
    free = [per_node] * nodes
    queue, running, waits, last = [], [], 0, zero
    while jobs or running:
        now = min([j[0] for j in jobs[:1]] + [r[0] for r in running])
        for end, taken in running:
            if end == now:
                for node, gpus in taken:
                    free[node] += gpus
        running = [r for r in running if r[0] > now]
        while jobs and jobs[0][0] == now:
            queue.append(jobs.pop(0))
        while queue:
            submit, _, run, gpus = queue[0]
            taken = place(free, gpus, per_node)
            if taken is None:
                break
            queue.pop(0)
            waits += now - submit
            last = max(last, now + run)
            running.append((now + run, taken))
    print(f"jobs {len(rows)}  wait_sum_s {waits}  last_end_s {last - zero}  mean_wait_s {waits / len(rows):.3f}")


if __name__ == "__main__":
    main()
