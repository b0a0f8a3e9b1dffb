"""Shared code of bench/faults: isolated folders, killing processes, and the checks afterwards."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

import tarebench as t

MARK = "TARE_FAULTS_PLACE"
# Time that the host may need beyond its own limit, for a child's output, memory and time.
PATIENCE_S = 120
# A run of some tenths of a second: two waves of four processes.
SHORT = ["--filter", "strlen", "--quick", "--launches", "4", "--rounds", "6", "--invocations", "2000"]


class Wrong(Exception):
    """What did not hold."""


def children(folder, built=None):
    """The children of the tests, built here or there already, and the shim."""
    if built is None:
        t.run(["sh", t.ROOT / "fixtures/children/build.sh", folder])
    shim = Path(folder, "faults.so")
    t.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", shim, t.BENCH / "lib/faults.c", "-ldl"])
    there = built or Path(folder)
    return there / "quick/reference-child", there / "misbehave", shim


class Place:
    """A folder of its own. All processes that are started in it can be found by its mark."""

    def __init__(self, name, config=""):
        self.held = tempfile.TemporaryDirectory(prefix=f"tare-{name}-", ignore_cleanup_errors=True)
        self.folder = Path(os.path.realpath(self.held.name))
        # The end of what could be a working copy.
        self.folder.joinpath(".git").write_text("no working copy\n")
        self.folder.joinpath("home").mkdir()
        self.cwd = self.folder
        self.extra = {}
        if config:
            self.folder.joinpath("tare.toml").write_text(config)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in self.processes():
            kill(pid)
        self.held.cleanup()

    def environment(self, more=None):
        kept = {k: v for k, v in os.environ.items() if not k.startswith("TARE_") and k != "GITHUB_STEP_SUMMARY"}
        own = {"HOME": str(self.folder / "home"), MARK: str(self.folder), **self.extra, **(more or {})}
        return {**kept, **own}

    def start(self, words, more=None):
        out, err = [open(self.folder / name, "wb") for name in ("stdout", "stderr")]
        command = [str(word) for word in [t.tare(), *words]]
        with out, err:
            return subprocess.Popen(command, cwd=self.cwd, env=self.environment(more), stdin=subprocess.DEVNULL,
                                    stdout=out, stderr=err, start_new_session=True)

    def said(self):
        return "".join((self.folder / name).read_text(errors="replace") for name in ("stdout", "stderr"))

    def ended(self, tare, what, patience=PATIENCE_S):
        """Its exit code, its greatest memory in MB, once it has ended."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            pid, status, used = os.wait4(tare.pid, os.WNOHANG)
            if pid != 0:
                tare.returncode = os.waitstatus_to_exitcode(status)
                return tare.returncode, used.ru_maxrss / 1024
            time.sleep(0.002)
        raise Wrong(f"{what}: it did not end within {patience} s\n{self.said()}")

    def runs_to(self, codes, words, what, more=None):
        """Runs `tare` to its end, which must be one of these codes."""
        code, _ = self.ended(self.start(words, more), what)
        if code not in codes:
            raise Wrong(f"{what}: `tare {' '.join(map(str, words))}` ended with {code}\n{self.said()[-3000:]}")
        return code

    def processes(self):
        """Living processes that were started here, by whomever."""
        mark, found = f"{MARK}={self.folder}".encode(), []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if int(pid) != os.getpid() and mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                    found.append(int(pid))
            except OSError:
                pass
        return found

    def is_left_alone(self, what, patience=60):
        """No process that was started here stays. A killed one needs a moment to go."""
        end = time.monotonic() + patience
        while left := self.processes():
            if time.monotonic() > end:
                raise Wrong(f"{what}: left the processes {left}")
            time.sleep(0.005)

    # ---- files

    def events(self):
        """Of each file of events its whole lines."""
        found = {}
        for path in self.folder.rglob("events.jsonl"):
            text = path.read_bytes()
            found[path] = text[: text.rfind(b"\n") + 1]
        return found

    def is_whole(self, what):
        """Each document is JSON as a whole; so is each whole line of events, and the database is one."""
        for path in [*self.folder.rglob("run.json"), *self.folder.rglob("bisect.json"), *self.folder.rglob("baselines.json")]:
            try:
                json.loads(path.read_bytes())
            except ValueError as error:
                raise Wrong(f"{what}: {path}: {error}") from None
        for path, text in self.events().items():
            for line in text.splitlines():
                try:
                    json.loads(line)
                except ValueError as error:
                    raise Wrong(f"{what}: {path}: {error}: {line[:200]}") from None
        if self.database().exists():
            # A copy: who looks at it must not be who repairs it.
            self.rows(what)

    def database(self):
        return self.cwd / ".tare/history.db"

    def rows(self, what):
        """The ids of the runs in the history."""
        if not self.database().exists():
            return set()
        base = sqlite3.connect(f"file:{self.database()}?mode=rw", uri=True, timeout=20)
        try:
            state = base.execute("PRAGMA integrity_check").fetchone()[0]
            if state != "ok":
                raise Wrong(f"{what}: the history is damaged: {state}")
            if not base.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'run'").fetchone()[0]:
                return set()
            return {row[0] for row in base.execute("SELECT run FROM run")}
        except sqlite3.Error as error:
            raise Wrong(f"{what}: the history cannot be read: {error}") from None
        finally:
            base.close()

    def keeps(self, before, what):
        """What was written stands at the beginning of what is there now."""
        for path, text in before.items():
            run = path.parents[2]
            if run.parent.name == "runs" and not path.exists() and self.status(run) == "finished":
                # The part of a node, which the run has taken in; one that was cut off is measured again from its beginning, so that no
                # part is of two nodes.
                if b'"event":"run-finished","status":"finished"' not in text:
                    continue
                lost = times(text.splitlines()) - times([run.joinpath("run.json").read_bytes()])
                if lost:
                    raise Wrong(f"{what}: {run} has lost {len(lost)} times of {path}")
                continue
            now = path.read_bytes() if path.exists() else b""
            if not now.startswith(text):
                raise Wrong(f"{what}: {path} has lost of its {len(text)} bytes; it has {len(now)} now")

    def run_folders(self):
        folder = self.cwd / ".tare/runs"
        return sorted(folder.iterdir()) if folder.exists() else []

    def unfinished(self):
        """Runs that have begun, of which at least the first event was written, and have no document of a finished one."""
        begun = {path.parent for path, text in self.events().items() if text}
        return [path for path in self.run_folders() if path in begun and self.status(path) != "finished"]

    def status(self, run):
        document = run / "run.json"
        return json.loads(document.read_bytes())["status"] if document.exists() else None


def times(documents):
    """Every measured time of events, or of a run."""
    found = set()

    def look(value):
        if isinstance(value, dict):
            found.update(value.get("elapsed_ns") or [] if isinstance(value.get("elapsed_ns"), list) else [])
            value = value.values()
        if not isinstance(value, (str, bytes, int, float, bool, type(None))):
            for inner in value:
                look(inner)

    look([json.loads(document) for document in documents])
    return found


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def killed_within(place, words, seconds, victim, chance, what):
    """Starts `tare` and kills what is meant at a moment within these seconds. Returns whether it still ran, and its exit code."""
    tare = place.start(words)
    time.sleep(chance.random() * seconds)
    is_there = tare.poll() is None
    others = [pid for pid in place.processes() if pid != tare.pid] if victim != "host" else []
    while victim == "child" and not others and tare.poll() is None:
        others = [pid for pid in place.processes() if pid != tare.pid]
    if victim in ("host", "both"):
        kill(tare.pid)
    if victim == "both":
        for pid in others:
            kill(pid)
    if victim == "child":
        is_there = is_there and bool(others)
        if others:
            kill(chance.choice(others))
    code = tare.wait(PATIENCE_S) if tare.returncode is None else tare.returncode
    if victim == "child" and (code < 0 or code == 1):
        raise Wrong(f"{what}: the host ended with {code}\n{place.said()[-3000:]}")
    place.is_left_alone(what)
    return is_there, code


def random_of(seed):
    return random.Random(seed)
