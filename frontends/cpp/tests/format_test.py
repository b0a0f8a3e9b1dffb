"""Checks that all C and C++ files are formatted with clang-format."""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
if not shutil.which("clang-format"):
    print("skipped: clang-format is not installed")
    sys.exit(77)
# Named folders, to leave out what CMake writes into a build folder beside them.
FOLDERS = [ROOT / "include", ROOT / "tests", ROOT / "examples", (ROOT / "../../examples/cpp").resolve(),
           (ROOT / "../../traps").resolve()]
files = [str(f) for folder in FOLDERS for f in sorted(folder.rglob("*")) if f.suffix in (".h", ".hpp", ".c", ".cpp")]
if len(files) < 10:
    sys.exit(f"only {len(files)} files were found: the folders moved")
style = f"--style=file:{ROOT / '.clang-format'}"
sys.exit(subprocess.run(["clang-format", style, "--dry-run", "--Werror", *files]).returncode)
