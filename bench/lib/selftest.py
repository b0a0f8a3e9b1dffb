#!/usr/bin/env python3
"""The executables of bench/ start, know their flags and refuse others; their measuring is not a test of this kind."""

import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1]
passed, failed = 0, []
for path in sorted(p for p in BENCH.iterdir() if p.is_file() and p.stat().st_mode & 0o111):
    python = path.read_text().startswith("#!/usr/bin/env python3")
    try:
        if python:
            compile(path.read_text(), str(path), "exec")
        done = subprocess.run([str(path), "--no-such-flag"], capture_output=True, text=True, timeout=120)
        if done.returncode != 2 or "--no-such-flag" not in done.stderr:
            raise AssertionError(f"exit {done.returncode}, {done.stderr[-200:]!r}")
        passed += 1
    except Exception as error:  # each file is judged by itself
        failed.append(f"{path.name}: {error}")
print("\n".join(failed))
print(f"{passed} passed, {len(failed)} failed")
sys.exit(bool(failed))
