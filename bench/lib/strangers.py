"""Third-party projects whose suites `bench/existing-suites --compare` runs unmodified: where they come from, and where work is planted.

Each is fetched by the package manager of its language, or its sources are put into a folder by hand. The suite is not changed: work is
planted in a function of the library that it calls. Files that a project needs to be built alone (a CMakeLists.txt above it) are added.
"""

import dataclasses
import re
import shutil
import sys
import tarfile
from pathlib import Path

import tarebench as t

# Work of a known number of steps, which no compiler removes.
SPIN = {
    "rust": "{{ let mut spun = 1u64; for _ in 0..{steps}u32 {{ spun = core::hint::black_box(spun.wrapping_mul(3)); }} "
            "core::hint::black_box(spun); }}\n",
    "c++": '{{ unsigned long long spun = 1; for (int turn = 0; turn < {steps}; ++turn) {{ spun *= 3; asm volatile("" : "+r"(spun)); }} }}\n',
    "go": "{{ spun := uint64(1); for turn := 0; turn < {steps}; turn++ {{ spun = spun*3 + 1 }}; if spun == 0 {{ panic(spun) }} }}\n",
    "java": "{{ int spun = 1; for (int turn = 0; turn < {steps}; turn++) {{ spun = spun * 3 + turn; }} "
            "if (spun == Integer.MIN_VALUE) throw new IllegalStateException(); }}\n",
    "python": "for _ in range({steps}): pass\n",
}


@dataclasses.dataclass(frozen=True)
class Plant:
    """Where work is planted, and the benchmark that shows it."""
    filter: str
    file: str
    # The text behind which it is planted.
    behind: str
    # Blanks of its line, where they count.
    indent: str = ""


@dataclasses.dataclass(frozen=True)
class Project:
    name: str
    harness: str
    language: str
    # Writes the sources into a folder.
    fetch: object
    # Arguments of `tare compare`: a path below the folder, and flags.
    below: str = ""
    words: tuple = ()
    # The benchmarks to compare; empty: all.
    filters: tuple = ()
    plants: tuple = ()
    # The harness's own run of all benchmarks, and their expected number; a shell command in the folder.
    own: str = ""

    def planted(self, folder, plant, steps):
        """Puts so many steps behind the text."""
        path = folder / plant.file
        text = path.read_text()
        if text.count(plant.behind) != 1:
            raise SystemExit(f"error: {self.name}: `{plant.behind}` is {text.count(plant.behind)} times in {path}")
        work = plant.indent + SPIN[self.language].format(steps=steps)
        path.write_text(text.replace(plant.behind, plant.behind + "\n" + work))


def crate(name, version):
    """A crate as Cargo brings it."""
    def fetch(folder):
        scratch = folder.with_name(folder.name + "-fetch")
        (scratch / "src").mkdir(parents=True, exist_ok=True)
        (scratch / "src" / "lib.rs").write_text("")
        manifest = f'[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n{name} = "={version}"\n'
        (scratch / "Cargo.toml").write_text(manifest)
        t.run(["cargo", "vendor", "--quiet", "--versioned-dirs", "vendor"], cwd=scratch)
        shutil.copytree(scratch / "vendor" / f"{name}-{version}", folder)
        shutil.rmtree(scratch)
    return fetch


def sdist(name, version, *needs):
    """A source package of Python, with an environment in which the suite runs."""
    def fetch(folder):
        scratch = folder.with_name(folder.name + "-fetch")
        t.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name, "--dest", scratch, f"{name}=={version}"])
        with tarfile.open(next(scratch.glob("*.tar.gz"))) as archive:
            archive.extractall(scratch)
        shutil.move(next(path for path in scratch.iterdir() if path.is_dir()), folder)
        shutil.rmtree(scratch)
        environment(folder, needs)
    return fetch


def environment(folder, needs):
    t.run([sys.executable, "-m", "venv", folder / ".venv"])
    t.run([folder / ".venv" / "bin" / "python", "-m", "pip", "install", "--quiet", *needs, "--editable", folder])


def module(name, version):
    """A module of Go."""
    def fetch(folder):
        scratch = folder.with_name(folder.name + "-fetch")
        scratch.mkdir(parents=True, exist_ok=True)
        (scratch / "go.mod").write_text("module fetch\n")
        t.run(["go", "get", f"{name}@{version}"], cwd=scratch)
        place = t.run(["go", "list", "-m", "-f", "{{.Dir}}", name], cwd=scratch).stdout.strip()
        shutil.copytree(place, folder)
        shutil.rmtree(scratch)
        # The cache of modules may not be written to, and neither may copies of it.
        t.run(["chmod", "-R", "u+w", folder])
    return fetch


# Stands where a project expects the sources of Google Benchmark: the installed library.
INSTALLED_BENCHMARK = """add_library(benchmark_main INTERFACE)
target_link_libraries(benchmark_main INTERFACE -lbenchmark_main -lbenchmark -lpthread)
add_library(benchmark ALIAS benchmark_main)
"""


def debian(name, settings, data=None):
    """A source package of Debian in the folder `source`, which a CMakeLists.txt above it builds with these settings. `data`: a folder in it
    that its benchmarks look for where they run."""
    def fetch(folder):
        scratch = folder.with_name(folder.name + "-fetch")
        options = source_lists(scratch)
        t.run(["apt-get", *options, "update"], cwd=scratch)
        t.run(["apt-get", *options, "source", name], cwd=scratch)
        folder.mkdir()
        shutil.move(next(path for path in scratch.glob(f"{name}-*") if path.is_dir()), folder / "source")
        shutil.rmtree(scratch)
        alone(folder, settings, data)
    return fetch


def alone(folder, settings, data=None):
    """A CMakeLists.txt above the folder `source`, which builds it with these settings and the installed Google Benchmark."""
    library = folder / "source" / "third_party" / "benchmark"
    library.mkdir(parents=True, exist_ok=True)
    (library / "CMakeLists.txt").write_text(INSTALLED_BENCHMARK)
    lines = ["cmake_minimum_required(VERSION 3.10)", "project(alone C CXX)", *(f"set({each} CACHE STRING \"\")" for each in settings)]
    (folder / "CMakeLists.txt").write_text("\n".join([*lines, "add_subdirectory(source)"]) + "\n")
    if data:
        (folder / data).symlink_to(f"source/{data}")


def given(repository, below="", finish=lambda folder: None):
    """Sources that no package manager here has: they are put into the folder by hand."""
    def fetch(folder):
        place = folder / below
        if not place.is_dir():
            raise SystemExit(f"error: put the sources of {repository} into {place}")
        finish(folder)
    return fetch


def source_lists(scratch):
    """Options of apt with which it knows the sources of the packages that it knows, in a place of its own."""
    parts, lists = scratch / "parts", scratch / "lists"
    parts.mkdir(parents=True)
    (lists / "partial").mkdir(parents=True)
    for known in [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]:
        if known.is_file() and known.suffix in (".list", ".sources"):
            text = re.sub(r"(?m)^(Types:.*|deb\b)", lambda found: found[0].replace("deb", "deb-src"), known.read_text())
            (parts / known.name).write_text(text)
    values = {"Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": parts, "Dir::State::lists": lists, "APT::Sandbox::User": "root"}
    return [word for key, value in values.items() for word in ("-o", f"{key}={value}")]


def copy(source, target):
    """Another side: the same files. What an environment of Python has of the project is that of its own side."""
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns("target", "build", "__pycache__"))
    for link in (target / ".venv").glob("lib/*/site-packages/*.pth"):
        link.write_text(link.read_text().replace(str(source), str(target)))
