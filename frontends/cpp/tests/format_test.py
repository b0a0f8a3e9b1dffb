"""All C and C++ files are as clang-format writes them."""
import pathlib, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
if not shutil.which("clang-format"):
    print("SKIPPED: clang-format is not installed")
    sys.exit(77)
files = [str(f) for f in sorted(ROOT.rglob("*")) + sorted((ROOT / "../../examples/cpp").resolve().glob("*")) if f.suffix in (".h", ".c", ".cpp")]
style = f"--style=file:{ROOT / '.clang-format'}"
sys.exit(subprocess.run(["clang-format", style, "--dry-run", "--Werror", *files]).returncode)
