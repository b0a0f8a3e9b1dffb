"""`bench/existing-suites --compare`: are verdicts on third-party suites right?

Three parts for each project: equal code on both sides, as copies of one folder; 5 % more work planted in a function that the suite calls;
and two releases with a known change. For comparison, the harness's own time for the same benchmarks.
"""

import argparse
import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import strangers
import tarebench as t
from projects import PROJECTS, RELEASES

WORDS = ("slower", "faster", "same", "unclear")
# The planted work, and the initial guess of its steps, which is then adjusted.
MORE, GUESS = 0.05, 0.4
# ns per step for the initial guess, which is corrected by measuring.
STEP_NS = {"rust": 2.0, "c++": 1.3, "go": 1.6, "java": 1.6, "python": 25.0}


class Part:
    """The words of one part, by project."""

    def __init__(self, name, expected):
        self.name, self.expected, self.words, self.seconds, self.failed = name, expected, {}, {}, {}

    def add(self, project, document, seconds):
        rows = times(document)
        for row in rows:
            self.words.setdefault(project, []).append(row["verdict"])
            if row["verdict"] not in self.expected:
                t.note(f"{self.name}, {project}: {row['group']}/{row['name']} {row['verdict']} {row['ratio']:.4f}, q {row['q']}, launches {row['launches']}")
        for failed in document["comparison"]["failed"]:
            self.failed.setdefault(project, []).append(failed["key"])
            t.note(f"{self.name}, {project}: {failed['key']} failed: {failed['failure']}")
        self.seconds.setdefault(project, []).append(seconds / max(len(rows), 1))


def times(document):
    """The rows of times; other metrics have rows of their own."""
    return [row for row in document["comparison"]["rows"] if not row.get("metric")]


def compare(project, base, new, filters, kept):
    """The document of a comparison, which stays in the folder `kept`; and its seconds."""
    kept.mkdir(parents=True, exist_ok=True)
    (kept / ".tare").mkdir(exist_ok=True)
    chosen = [word for each in filters for word in ("--filter", each)]
    command = [t.tare(), "compare", base / project.below, new / project.below, *project.words, *chosen, "--format", "json"]
    # Building is not measured.
    began = time.monotonic()
    done = subprocess.run([str(word) for word in command], cwd=kept, capture_output=True, text=True)
    if not done.stdout.strip():
        raise SystemExit(f"error: {project.name}: {' '.join(map(str, command))}\n{done.stderr}")
    (kept / "said.txt").write_text(done.stderr)
    document = json.loads(done.stdout)
    return document, document["comparison"].get("elapsed_s") or time.monotonic() - began


def side(project, folder, name):
    """The folder of a side: fetched once, then copied."""
    fetched, done = (folder / project.name / each for each in ("fetched", "fetched.done"))
    if not done.exists():
        t.note(f"fetching {project.name}")
        fetched.parent.mkdir(parents=True, exist_ok=True)
        project.fetch(fetched)
        done.touch()
    place = folder / project.name / name
    if not place.exists():
        strangers.copy(fetched, place)
    return place


def equal(project, folder, part, rounds):
    base, new = side(project, folder, "one"), side(project, folder, "two")
    for round_ in range(rounds):
        part.add(project.name, *compare(project, base, new, project.filters, folder / project.name / "runs" / f"equal-{round_}"))
        say_load(project.name)


def planted(project, folder, part, rounds):
    """First a guess, which shows how much a step costs the benchmark; then 5 %."""
    base = side(project, folder, "one")
    for at, plant in enumerate(project.plants):
        runs = folder / project.name / "runs"
        time_ns = time_of(project, base, plant, runs / f"time-{at}")
        guess, ratios = max(1, round(GUESS * time_ns / STEP_NS[project.language])), []
        # The core overlaps the steps with the body as far as possible.
        for _ in range(3):
            document, _ = compare(project, base, with_plant(project, folder, plant, at, guess), [plant.filter], runs / f"guess-{at}")
            ratios = [row["ratio"] for row in times(document) if row["ratio"]]
            if len(ratios) != 1 or ratios[0] >= 1 + GUESS / 2:
                break
            guess *= 4
        if len(ratios) != 1 or ratios[0] < 1 + GUESS / 2:
            t.note(f"skipped: {project.name}, {plant.filter}: {guess} steps planted give {ratios}")
            continue
        steps = max(1, round(guess * MORE / (ratios[0] - 1)))
        t.note(f"{project.name}, {plant.filter}: {time_ns:.4g} ns, {guess} steps {ratios[0]:.3f}, so {steps} are 5 %")
        new = with_plant(project, folder, plant, at, steps)
        for round_ in range(rounds):
            part.add(project.name, *compare(project, base, new, [plant.filter], runs / f"planted-{at}-{round_}"))
            say_load(project.name)


def with_plant(project, folder, plant, at, steps):
    place = folder / project.name / f"more-{at}"
    shutil.rmtree(place, ignore_errors=True)
    side(project, folder, place.name)
    project.planted(place, plant, steps)
    return place


def time_of(project, base, plant, kept):
    """How long the benchmark takes, ns."""
    kept.mkdir(parents=True, exist_ok=True)
    command = [t.tare(), "run", base / project.below, *project.words, "--filter", plant.filter, "--quick", "--format", "json"]
    done = subprocess.run([str(word) for word in command], cwd=kept, capture_output=True, text=True)
    cases = json.loads(done.stdout)["report"]["cases"] if done.stdout.strip() else []
    if len(cases) != 1 or "time" not in cases[0]["outcome"]:
        raise SystemExit(f"error: {project.name}: `{plant.filter}` is not one benchmark that can be measured\n{done.stderr}")
    return cases[0]["outcome"]["time"]["value_ns"]


def say_load(name):
    t.note(f"{name}: load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


def show(part):
    rows = []
    for project, words in part.words.items():
        seconds = part.seconds[project]
        rows.append([project, len(words), *(words.count(word) for word in WORDS), len(part.failed.get(project, [])),
                     f"{sum(seconds) / len(seconds):.1f}"])
    if rows:
        t.say(f"\n{part.name}")
        t.table(["project", "n", *WORDS, "failed", "s each"], rows)


def main(words):
    parser = argparse.ArgumentParser(prog="bench/existing-suites --compare", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--compare", metavar="FOLDER", required=True, help="where projects are fetched to, built and compared")
    parser.add_argument("--project", action="append", help="one of " + ", ".join(p.name for p in PROJECTS))
    parser.add_argument("--part", action="append", choices=("equal", "planted", "releases"), help="all of them without this")
    parser.add_argument("--rounds", type=int, default=1, help="comparisons of each benchmark with itself, and with each plant")
    asked = parser.parse_args(words)
    unknown = set(asked.project or ()) - {p.name for p in PROJECTS}
    if unknown:
        parser.error(f"there is no project {', '.join(sorted(unknown))}")
    folder = Path(asked.compare).absolute()
    parts = asked.part or ("equal", "planted", "releases")
    chosen = [project for project in PROJECTS if not asked.project or project.name in asked.project]
    still, slower = Part("equal code", ("same", "unclear")), Part("5 % more work planted", ("slower",))
    changed = Part("releases with a known change", ("faster", "slower"))
    for project in chosen:
        if "equal" in parts:
            equal(project, folder, still, asked.rounds)
        if "planted" in parts:
            planted(project, folder, slower, asked.rounds)
        for old, new in RELEASES.get(project.name, []) if "releases" in parts else []:
            pair = [side(each, folder, "one") for each in (old, new)]
            changed.add(project.name, *compare(new, *pair, new.filters, folder / project.name / "runs" / "releases"))
    for part in (still, slower, changed):
        show(part)
    alarms = sum(word not in still.expected for words in still.words.values() for word in words)
    equals, plants = (sum(len(words) for words in part.words.values()) for part in (still, slower))
    found = sum(word == "slower" for words in slower.words.values() for word in words)
    t.say()
    t.finish(alarms <= t.limit(equals, 0.01) and found >= 0.95 * plants,
             f"{alarms} alarms in {equals} comparisons of equal code; {found} of {plants} plants found")
