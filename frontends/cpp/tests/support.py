"""What the tests share: compilers, building, skipping by name."""
import os, pathlib, shutil, subprocess, sys, tempfile, unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
NAMES = {"gcc": (["g++"], ["gcc"]), "clang": (["clang++", "clang++-14"], ["clang", "clang-14"])}
FAMILY = sys.argv.pop(1) if len(sys.argv) > 1 and sys.argv[1] in NAMES else "gcc"
_scratch = tempfile.TemporaryDirectory(prefix="tare-test-")
SCRATCH = pathlib.Path(_scratch.name)


def skip(what):
    print(f"SKIPPED: {what}")
    sys.exit(77)


def find(names):
    found = next((n for n in names if shutil.which(n)), None)
    return found or skip(f"{names[0]} is not installed")


def cxx():
    return find(NAMES[FAMILY][0])


def cc():
    return find(NAMES[FAMILY][1])


def command(source, output, *flags, standard=None):
    is_c = str(source).endswith(".c")
    compiler = cc() if is_c else cxx()
    return [compiler, f"-std={standard or ('c11' if is_c else 'c++17')}", *flags, f"-I{INCLUDE}", str(source), "-o",
            str(output)]


def build(source, *flags, name=None, standard=None):
    """Builds one program with -O2, or what `flags` say, and gives its path."""
    output = SCRATCH / (name or pathlib.Path(source).stem)
    flags = flags if any(f.startswith("-O") for f in flags) else ("-O2", *flags)
    done = subprocess.run(command(source, output, *flags, standard=standard), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return str(output)


def direct(**more):
    return dict(os.environ, TARE_DIRECT="1", **more)


def main():
    cxx()
    unittest.main(verbosity=1)
