"""EASY backfilling that counts machines, written apart from Berth: python3 count_based_easy.py OUT_JOBS_CSV MACHINES

The rules of docs/semantics.md for a pool, on the jobs of a Batsim run (out_jobs.csv), in whole milliseconds: plan with
requested_time, run for finish_time - starting_time. Prints the mean wait in seconds, and how many jobs start more than
0.1 s away from Batsim's recorded start.
"""
import csv
import heapq
import sys

rows = list(csv.DictReader(open(sys.argv[1])))
machines = int(sys.argv[2])


def ms(text):
    return round(float(text) * 1000)


jobs = sorted(
    ({"id": int(r["job_id"]), "submit": ms(r["submission_time"]), "n": int(r["requested_number_of_resources"]),
      "limit": ms(r["requested_time"]), "run": round((float(r["finish_time"]) - float(r["starting_time"])) * 1000),
      "recorded": ms(r["starting_time"])} for r in rows),
    key=lambda j: (j["submit"], j["id"]))

free, queue, running, ends, arrived = machines, [], [], [], 0
while arrived < len(jobs) or ends:
    now = min(([jobs[arrived]["submit"]] if arrived < len(jobs) else []) + ([ends[0][0]] if ends else []))
    while ends and ends[0][0] <= now:
        job = heapq.heappop(ends)[2]
        free += job["n"]
        running.remove(job)
    while arrived < len(jobs) and jobs[arrived]["submit"] <= now:
        queue.append(jobs[arrived])
        arrived += 1

    def start(job):
        global free
        free -= job["n"]
        job["start"] = now
        heapq.heappush(ends, (now + job["run"], job["id"], job))
        running.append(job)
        queue.remove(job)

    while queue and queue[0]["n"] <= free:
        start(queue[0])
    if not queue:
        continue
    head, future, shadow = queue[0], free, None
    for end in sorted({r["start"] + r["limit"] for r in running}):
        future += sum(r["n"] for r in running if r["start"] + r["limit"] == end)
        if future >= head["n"]:
            shadow = end
            break
    spare = future - head["n"]
    for job in queue[1:]:
        if job["n"] > free:
            continue
        if now + job["limit"] <= shadow:
            start(job)
        elif job["n"] <= spare:
            spare -= job["n"]
            start(job)

print(sum(j["start"] - j["submit"] for j in jobs) / len(jobs) / 1000,
      sum(abs(j["start"] - j["recorded"]) > 100 for j in jobs))
