"""Helpers shared by the tests: compilers, building, skipping by name."""
import contextlib, fcntl, functools, hashlib, os, pathlib, shutil, subprocess, sys, tempfile, unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
NAMES = {"gcc": (["g++"], ["gcc"]), "clang": (["clang++", "clang++-14"], ["clang", "clang-14"])}
FAMILY = sys.argv.pop(1) if len(sys.argv) > 1 and sys.argv[1] in NAMES else "gcc"
# Declarations are evaluated before any optimisation, so a single compiler runs these tests: gcc if installed. The other one
# compiles their programs (matrix_test.py), and runs them in `./test all`. Measuring and its requests are tested with both.
FIRST = FAMILY == "gcc" or "TARE_TEST_LONG" in os.environ or not any(shutil.which(name) for name in NAMES["gcc"][0])
# The level for tests that do not depend on the optimiser: without it compiling takes two thirds of the time.
PLAIN = "-O2" if "TARE_TEST_LONG" in os.environ else "-O0"
_scratch = tempfile.TemporaryDirectory(prefix="tare-test-")
SCRATCH = pathlib.Path(_scratch.name)
# Built programs, by the hash of all their inputs: most tests are run again with an unchanged front end.
PROGRAMS = pathlib.Path(os.environ.get("TARE_CPP_BUILD", ROOT / "build")) / "programs"
# `./test all`: adds tests that take long, and those that measure and therefore need an idle machine.
LONG = "TARE_TEST_LONG" in os.environ


def skip(what):
    print(f"skipped: {what}")
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


def build(source, *flags, name=None, standard=None, warnings=WARNINGS):
    """Builds a program without warnings, with -O2 or `flags`, and returns its path."""
    output = SCRATCH / (name or pathlib.Path(source).stem)
    # Equivalent flags share one program.
    level = next((f for f in flags if f.startswith("-O")), "-O2")
    flags = [level, *warnings, *(f for f in flags if f != level)]
    key = PROGRAMS / key_of(source, *flags, standard)
    with alone(key):
        if not key.exists():
            done = subprocess.run(command(source, output, *flags, standard=standard), capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            keep(output, key)
    output.unlink(missing_ok=True)
    shutil.copy2(key, output)
    return str(output)


@contextlib.contextmanager
def alone(key):
    """Tests run in parallel: a program that two of them need is built by the first."""
    PROGRAMS.mkdir(parents=True, exist_ok=True)
    with open(PROGRAMS / f"{key.name[:2]}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def keep(file, key):
    """Writes to a temporary name first, so that a killed test leaves no partial program."""
    own = key.with_name(f"{key.name}-{os.getpid()}")
    shutil.copy2(file, own)
    own.rename(key)


@functools.lru_cache(maxsize=None)
def surroundings(compiler):
    """All inputs of a program besides its own source: the compiler and the front end."""
    version = subprocess.run([compiler, "--version"], capture_output=True).stdout
    return version + b"".join(f.read_bytes() for folder in (INCLUDE, ROOT / "cmake") for f in sorted(folder.rglob("*")) if f.is_file())


def key_of(source, *flags):
    """The hash of the inputs of a compilation; an argument that is a file counts by its content."""
    what = hashlib.sha256(surroundings(cc() if str(source).endswith(".c") else cxx()))
    for part in (source, *flags):
        path = pathlib.Path(str(part))
        what.update(path.suffix.encode() + path.read_bytes() if path.is_file() else str(part).encode())
        what.update(b"\0")
    return what.hexdigest()


def links_with(*flags):
    """Whether the compiler in use can build a program with these flags at all."""
    source = SCRATCH / "nothing.cpp"
    source.write_text("int main() {}\n")
    return subprocess.run([cxx(), *flags, str(source), "-o", str(SCRATCH / "nothing")], capture_output=True).returncode == 0


def has_coroutines():
    macros = subprocess.run([cxx(), "-std=c++20", "-dM", "-E", "-x", "c++", os.devnull], capture_output=True, text=True)
    return "__cpp_impl_coroutine" in macros.stdout


def first_compiler(test):
    return unittest.skipUnless(FIRST, "declarations are the same for both compilers; the second one by ./test all")(test)


def direct(**more):
    return dict(os.environ, TARE_DIRECT="1", **more)


def main():
    cxx()
    result = unittest.main(verbosity=1, exit=False).result
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}")
    sys.exit(not result.wasSuccessful())
