#!/usr/bin/env python3
"""Holds the tree to its arrows (docs/architecture.md): who may include whom, who may link whom.

Usage: scripts/check_layers.py [ROOT]

Every `#include "..."` must be a path from the root that exists, into a folder that the table
below allows; every CMake library must name what its folder includes, and nothing above it.
Prints file:line: message for each breach, and ends with 1 if there is one.
"""
import re
import sys
from pathlib import Path

MODEL = ["sim/core", "sim/config", "sim/cluster", "sim/workload"]
BELOW_ENGINE = MODEL + ["sim/api"]
# Folder -> the folders it may include from, besides itself. The longest folder that holds a file counts.
MAY_INCLUDE = {
    "sim/core": [],
    "sim/config": ["sim/core"],
    "sim/cluster": ["sim/core", "sim/config"],
    "sim/workload": ["sim/core"],
    "sim/api": MODEL,
    "sim/engine": BELOW_ENGINE,
    "sim/metrics": BELOW_ENGINE,
    "sim/inspect": BELOW_ENGINE + ["sim/metrics"],
    "sim/plugin": BELOW_ENGINE,
    "policies": BELOW_ENGINE,
    "policies/examples": BELOW_ENGINE + ["sim/plugin"],  # built on its own, as a third party would
    "workloads": BELOW_ENGINE,
    "workloads/synthetic": ["sim/core", "sim/config"],
    "sim/experiment": BELOW_ENGINE + ["sim/engine", "sim/metrics", "sim/plugin", "policies", "workloads"],
    "sim/cli": ["sim/core", "sim/config", "sim/api", "sim/cluster", "sim/metrics", "sim/inspect",
                "sim/experiment", "workloads/synthetic"],
    "tests": None,  # anything
    "bench": None,
}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]*)"')
LIBRARY = re.compile(r"\b(berth_library|add_library|add_executable|target_link_libraries)\s*\(\s*(berth\w*)([^)]*)\)")


def folder_of(path):
    """The folder of the table that holds `path` (as text from the root), or None."""
    held = [f for f in MAY_INCLUDE if path.startswith(f + "/")]
    return max(held, key=len, default=None)


def read_links(root):
    """library -> (folder, [(place, library it links)]), out of all CMakeLists.txt."""
    home, links = {}, []
    for file in sorted(root.rglob("CMakeLists.txt")):
        name = file.relative_to(root).as_posix()
        if name.startswith("build/") or folder_of(name) is None:
            continue
        text = re.sub(r"#[^\n]*", "", file.read_text())
        for call in LIBRARY.finditer(text):
            verb, library, rest = call.groups()
            place = f"{name}:{text.count(chr(10), 0, call.start()) + 1}"
            if verb != "target_link_libraries":
                home[library] = folder_of(name)
            links += [(place, library, other) for other in re.findall(r"\bberth_\w+", rest)]
    return home, links


def check(root):
    breaches = []
    home, links = read_links(root)
    linked = {}  # folder -> folders that its library links, itself among them
    for place, library, other in links:
        if other == "berth_options" or library not in home:
            continue
        if other not in home:
            breaches.append(f"{place}: {library} links {other}, which no CMakeLists.txt here defines")
            continue
        here, there = home[library], home[other]
        linked.setdefault(here, {here}).add(there)
        allowed = MAY_INCLUDE[here]
        if allowed is not None and there != here and there not in allowed:
            breaches.append(f"{place}: {library} ({here}) must not link {other} ({there})")

    def reach(folder, seen):
        """Adds to `seen` every folder whose library `folder`'s links, directly or not."""
        for other in linked.get(folder, {folder}) - seen:
            seen.add(other)
            reach(other, seen)
        return seen

    names = {p.relative_to(root).as_posix() for f in MAY_INCLUDE for p in (root / f).rglob("*.[ch]pp")}
    for name in sorted(names):
        file, here = root / name, folder_of(name)
        for number, line in enumerate(file.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            target, place = found.group(1), f"{name}:{number}"
            there = folder_of(target)
            if there is None or ".." in target or not (root / target).is_file():
                breaches.append(f'{place}: "{target}" is not a file, as a full path from the root')
            elif MAY_INCLUDE[here] is None or there == here:
                continue
            elif there not in MAY_INCLUDE[here]:
                breaches.append(f'{place}: {here} must not include "{target}" ({there} is not below it)')
            elif here in home.values() and there not in reach(here, {here}):
                breaches.append(f'{place}: "{target}" is included, but the library of {here} does not link that of {there}')
    return breaches


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    breaches = check(root)
    for breach in breaches:
        print(breach)
    print(f"check_layers: {len(breaches)} breaches" if breaches else "check_layers: all arrows point down")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
