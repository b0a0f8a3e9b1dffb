"""The front end with every installed compiler, and with those of the next Debian release if root can make a folder with it: levels,
_FORTIFY_SOURCE, standards, sanitizers, LTO, other libraries. Not all combinations: every value of each list with every compiler."""
import functools, os, pathlib, shutil, subprocess, unittest
import support
from support import INCLUDE, ROOT, SCRATCH

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror", "-Wno-cpp"]  # cpp: glibc says that an old compiler knows no level 3
LEVELS = ["-O2", "-O0", "-O1", "-O3", "-Os", "-Og"]
STANDARDS = {"cpp": ["c++17", "c++20", "c++23", "c++26"], "c": ["c11", "c17", "c23", "gnu11"]}
# The name of a standard in older compilers, or else the newest standard that they support.
OLDER = {"c++23": ["c++2b"], "c++26": ["c++2c", "c++23", "c++2b"], "c23": ["c2x"]}
EXTRAS = [[], ["-fsanitize=address"], ["-fsanitize=undefined"], ["-fsanitize=thread"], ["-flto"], ["-static"], ["-fPIC", "-shared"], ["-fno-exceptions"],
          ["-fno-rtti"], ["-m32"], ["-stdlib=libc++"], ["musl-gcc"]]
HERE = [f"gcc-{n}" for n in (11, 12, 13, 14)] + [f"clang-{n}" for n in range(14, 20)]
# Programs with a thread sanitizer or their own libc lay out memory differently: they are built, but not run here.
RUNS = [[], ["-fsanitize=undefined"], ["-flto"], ["-static"], ["-fno-exceptions"], ["-fno-rtti"], ["-stdlib=libc++"], ["musl-gcc"]]
PROGRAMS = {"cpp": ROOT / "tests/compilers.cpp", "c": ROOT / "tests/compilers.c"}
PACKAGES = ["libc6-dev", *(f"g++-{n}" for n in (12, 13, 14)), "g++-14-multilib", *(f"clang-{n}" for n in (17, 18, 19)), *(f"libclang-rt-{n}-dev" for n in (17, 18, 19)),
            *(f"llvm-{n}-linker-tools" for n in (17, 18, 19)), "libc++-19-dev", "libc++abi-19-dev", "musl-tools"]
NEXT = pathlib.Path(os.environ.get("TARE_CPP_BUILD", ROOT / "build")) / "trixie"


class Machine:
    """This machine, or a folder that contains another release."""

    def __init__(self, root=None):
        self.root = root

    def which(self, name):
        if self.root is None: return shutil.which(name)
        return (self.root / "usr/bin" / name).exists()

    def path(self, file):
        """The path of a file as seen by the machine; for a folder, of a copy in it."""
        if self.root is None: return file
        copy = self.root / "tare" / file.name
        copy.parent.mkdir(exist_ok=True)
        if file.is_dir(): shutil.copytree(file, copy, dirs_exist_ok=True)
        elif file.exists(): shutil.copy2(file, copy)
        return pathlib.Path("/tare") / file.name

    def run(self, command, **environment):
        before = [] if self.root is None else ["chroot", str(self.root)]
        return subprocess.run([*before, *map(str, command)], capture_output=True, text=True, timeout=600, env=dict(os.environ, **environment))

    @functools.lru_cache(maxsize=None)
    def standard(self, compiler, language, standard):
        """This compiler's name of a standard; None if the compiler is too old."""
        for name in (standard, *OLDER.get(standard, [])):
            if self.run([compiler, f"-std={name}", "-E", "-x", "c++" if language == "cpp" else "c", "/dev/null"]).returncode == 0: return name
        return None


def next_release():
    """A folder with the next release, made once; or None and the reason why there is none."""
    if (NEXT / "made").exists(): return NEXT, None
    if os.geteuid() != 0: return None, "only root can make a folder of another release"
    if not shutil.which("debootstrap"): return None, "debootstrap is not installed"
    sites = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE)"], capture_output=True, text=True).stdout.split()
    if not sites: return None, "apt names no mirror"
    unmount()
    shutil.rmtree(NEXT, ignore_errors=True)
    NEXT.parent.mkdir(parents=True, exist_ok=True)
    try:
        made = subprocess.run(["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", "trixie", str(NEXT), sites[0]], capture_output=True, text=True)
    finally:
        unmount()
    if made.returncode != 0: return None, f"debootstrap: {(made.stdout + made.stderr).strip().splitlines()[-1:]}"
    shutil.rmtree(NEXT / "var/cache/apt/archives", ignore_errors=True)
    (NEXT / "made").touch()
    return NEXT, None


def unmount():
    """Unmounts /proc, which debootstrap leaves in the folder, so that searching or removing the build folder does not walk through it."""
    for kind in ("proc", "sys"):
        if os.path.ismount(NEXT / kind): subprocess.run(["umount", str(NEXT / kind)], check=True)


class Compilers(unittest.TestCase):
    maxDiff = None

    def compiler(self, name, language, extra):
        if extra == ["musl-gcc"]: return "musl-gcc"
        return name if language == "c" else name.replace("gcc", "g++").replace("clang", "clang++")

    def combinations(self, name):
        """Every value of every list at least once, each time with different others."""
        is_clang = name.startswith("clang")
        for language, standards in STANDARDS.items():
            for i, extra in enumerate(EXTRAS):
                if extra == ["-stdlib=libc++"] and (not is_clang or language == "c"): continue
                if extra == ["musl-gcc"] and (is_clang or language == "cpp"): continue
                if language == "c" and extra in (["-fno-exceptions"], ["-fno-rtti"]): continue
                level = LEVELS[i % len(LEVELS)]
                fortify = [] if level == "-O0" else ["-U_FORTIFY_SOURCE", f"-D_FORTIFY_SOURCE={(i + i // len(LEVELS)) % 4}"]
                yield language, standards[i % len(standards)], level, fortify, extra

    def one(self, machine, name, language, standard, level, fortify, extra):
        """Returns True if built, and run where that is meaningful; otherwise a text with the reason."""
        compiler = self.compiler(name, language, extra)
        if not machine.which(compiler): return f"{compiler} is not installed"
        spelled = machine.standard(compiler, language, standard)
        label = " ".join([compiler, spelled or standard, level, *fortify[1:], *extra])
        if spelled is None: return f"{label}: this compiler is older than the standard"
        flags = [f for f in extra if f != "musl-gcc"]
        (SCRATCH / f"trivial.{language}").write_text("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n" if language == "c"
                                                     else "#include <string>\n#include <cstdio>\nint main(int n, char** a) { return std::puts(std::string(a[n - 1]).c_str()) < 0; }\n")
        trivial = [compiler, f"-std={spelled}", level, *flags, machine.path(SCRATCH / f"trivial.{language}"), "-o", "/tmp/tare-trivial"]
        tried = machine.run(trivial, REALGCC=name)  # what musl-gcc calls
        if tried.returncode != 0:
            lines = tried.stderr.strip().splitlines()
            return f"{label}: {next((line for line in lines if 'error' in line), '?')}"
        output = "/tare/probe" if machine.root else str(SCRATCH / "probe")
        done = machine.run([compiler, f"-std={spelled}", level, *fortify, *flags, *WARNINGS, "-I", machine.path(INCLUDE),
                            machine.path(PROGRAMS[language]), "-o", output, *([] if language == "cpp" else ["-lm"]), "-pthread"], REALGCC=name)
        with self.subTest(label):
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            if extra in RUNS:
                ran = machine.run([output, "--filter", "g/optimised"], TARE_DIRECT="1")
                self.assertEqual((ran.returncode, "g/optimised  ran  " in ran.stdout), (0, True), ran.stdout + ran.stderr)
                # gcc does not unroll at -Og; for clang that is -O1.
                is_plain = level == "-O0" or level == "-Og" and not name.startswith("clang")
                self.assertEqual("ran  true" not in ran.stdout, is_plain, ran.stdout)
        return True

    def every(self, machine, names, where):
        built, skipped = 0, []
        for name in names:
            if not machine.which(name):
                skipped.append(f"{name}{where}: not installed")
                continue
            for combination in self.combinations(name):
                result = self.one(machine, name, *combination)
                built += result is True
                if result is not True: skipped.append(result + where)
            print(f"{name}{where}: {built} combinations built so far")
        for reason in skipped: print(f"skipped: {reason}")

    @unittest.skipIf(support.LONG, "all of them are tried below")
    def test_a_few(self):
        """A distribution's default flags, the newest standard, and code without optimisation."""
        name = "gcc" if support.FAMILY == "gcc" else support.cc()
        for combination in (("cpp", "c++23", "-O2", ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=3"], []), ("c", "c11", "-Os", ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"], ["-flto"]),
                            ("c", "c11", "-Og", [], []), ("c", "c11", "-O0", [], [])):
            result = self.one(Machine(), name, *combination)
            if result is not True: print(f"skipped: {result}")

    @unittest.skipUnless(support.LONG, "./test all")
    def test_compilers_of_this_machine(self):
        self.every(Machine(), [name for name in HERE if name.startswith(support.FAMILY)], "")

    @unittest.skipUnless(support.LONG, "./test all")
    def test_compilers_of_the_next_release(self):
        names = [name for name in HERE if name.startswith(support.FAMILY) and not shutil.which(name)]
        if not names: return
        folder, reason = next_release()
        if folder is None: self.skipTest(reason)
        self.every(Machine(folder), names, " (trixie)")


support.main()
