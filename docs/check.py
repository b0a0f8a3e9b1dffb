#!/usr/bin/env python3
"""Tests what the documents show: the code of the README compiles and runs, every `tare` command names flags that exist,
every link between files leads somewhere.

    docs/check.py [TARE]      the program to test with; else it is built

Prints what fails and, last, `N passed, N failed`.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("frontends/*/README.md")),
             *(p for p in (ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md") if p.exists())]
passed, failed = 0, []


def check(name, problem):
    global passed
    if problem:
        failed.append(f"{name}: {problem}")
    else:
        passed += 1


def tare():
    if len(sys.argv) > 1:
        return Path(sys.argv[1]).resolve()
    subprocess.run(["cargo", "build", "--quiet", "-p", "tare-cli"], cwd=ROOT, check=True)
    found = subprocess.run(["cargo", "metadata", "--format-version", "1", "--no-deps"], cwd=ROOT, check=True,
                           capture_output=True, text=True)
    return Path(json.loads(found.stdout)["target_directory"]) / "debug" / "tare"


def blocks(text, language):
    return re.findall(rf"^```{language}[^\n]*\n(.*?)^```", text, re.S | re.M)


def run_code(program, language, suffix):
    """The README's example of a language, as a newcomer would run it."""
    for number, code in enumerate(blocks((ROOT / "README.md").read_text(), language)):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / f"example{suffix}").write_text(code)
            done = subprocess.run([program, "run", f"example{suffix}", "--quick", "--no-save", "--format", "json"], cwd=folder,
                                  capture_output=True, text=True)
            problem = None
            if done.returncode:
                problem = f"exit {done.returncode}: {done.stderr[-600:]}"
            else:
                outcomes = [c["outcome"]["outcome"] for c in json.loads(done.stdout)["report"]["cases"]]
                if not outcomes or set(outcomes) != {"measured"}:
                    problem = f"outcomes {outcomes}"
            check(f"README {language} block {number + 1}", problem)


def commands(text):
    """Command lines that begin with `tare`: in blocks, indented lines and code spans."""
    lines = [line.strip().removeprefix("$ ") for block in blocks(text, r"(?:console|sh|yaml|)") for line in block.splitlines()]
    spans = re.findall(r"`(tare [^`\n]+)`", text)
    return [line for line in [*lines, *spans] if re.match(r"tare [a-z]", line)]


def flags_of(program, verb, known={}):
    if verb not in known:
        done = subprocess.run([program, verb, "--help"], capture_output=True, text=True)
        known[verb] = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", done.stdout)) if done.returncode == 0 else None
    return known[verb]


def check_commands(program, path):
    for line in commands(path.read_text()):
        words = shlex.split(line.split(" # ")[0], comments=True) if line.count("'") % 2 == 0 else line.split()
        verb = words[1]
        if not re.fullmatch(r"[a-z]+", verb):
            continue
        flags = flags_of(program, verb)
        used = [w.split("=")[0].rstrip(",.:;)") for w in words[2:] if re.match(r"--?[a-z]", w)]
        unknown = "no such verb" if flags is None else ", ".join(f for f in used if f not in flags)
        check(f"{path.relative_to(ROOT)}: `{line}`", unknown and f"unknown: {unknown}")


def check_links(path):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text()):
        if not re.match(r"[a-z]+:", target):
            check(f"{path.relative_to(ROOT)}: link {target}", None if (path.parent / target).exists() else "leads nowhere")


def main():
    program = tare()
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    for path in DOCUMENTS:
        check_commands(program, path)
        check_links(path)
    run_code(program, "cpp", ".cpp")
    run_code(program, "rust", ".rs")
    for problem in failed:
        print(problem)
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(bool(failed))


main()
