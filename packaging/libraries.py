"""The front ends, each in the form that its language installs."""

import hashlib
import os
import shutil
import sys
import zipfile

from common import LICENCES, ROOT, files, need, read, run, write
from programs import TARGETS, packed

FRONT_ENDS = os.path.join(ROOT, "frontends")
GO_MODULE = "tare.dev/go/tare"


def new_files(out, before):
    return sorted(os.path.join(out, name) for name in set(os.listdir(out)) - before)


def wheel(out, programs):
    """One for each program, and the sources."""
    os.makedirs(out, exist_ok=True)
    script = os.path.join(FRONT_ENDS, "python", "packaging", "build_wheel.py")
    made = []
    for processor, program in programs.items():
        # A static program runs with both C libraries.
        tags = "manylinux_2_17_{0}.manylinux2014_{0}.musllinux_1_1_{0}".format(processor)
        environment = {**os.environ, "TARE_PROGRAM": program, "TARE_WHEEL_PLATFORM": tags}
        made.append(run(sys.executable, script, out, env=environment).strip())
    made.append(run(sys.executable, script, out, "--sources").strip())
    return [os.path.join(out, name) for name in made]


def npm(out, programs):
    """The front end, and one for each program."""
    need("npm", "the npm package")
    script = os.path.join(FRONT_ENDS, "javascript", "packaging", "build.mjs")
    made = set()
    for processor, program in programs.items():
        environment = {**os.environ, "TARE_PROGRAM": program, "TARE_NPM_PLATFORM": "linux-" + TARGETS[processor]["npm"]}
        made |= set(run("node", script, out, env=environment).split())
    return sorted(os.path.join(out, name) for name in made)


def nuget(out, scratch):
    """`Tare` and `Tare.BenchmarkDotNet`. They are built from a copy: a build leaves folders beside its project."""
    need("dotnet", "the NuGet packages")
    copy = os.path.join(scratch, "nuget")
    shutil.rmtree(copy, ignore_errors=True)
    for name in [*files("frontends/csharp/Tare"), *files("frontends/csharp/BenchmarkDotNet"), "frontends/csharp/README.md", *LICENCES]:
        write(os.path.join(copy, name), read(os.path.join(ROOT, name)))
    os.makedirs(out, exist_ok=True)
    before = set(os.listdir(out))
    for name in ("Tare", "BenchmarkDotNet"):
        words = ["dotnet", "pack", "-c", "Release", "-nologo", "-o", out, "-p:UseSharedCompilation=false"]
        run(*words, cwd=os.path.join(copy, "frontends/csharp", name))
    return new_files(out, before) or sorted(os.path.join(out, name) for name in before if name.endswith(".nupkg"))


def maven(out, scratch):
    """A repository in a folder: the jar, its sources and its documentation."""
    need("mvn", "the Maven artifact")
    copy = os.path.join(scratch, "maven")
    shutil.rmtree(copy, ignore_errors=True)
    for name in [*files("frontends/java/src"), "frontends/java/pom.xml", "frontends/java/README.md", *LICENCES]:
        write(os.path.join(copy, name), read(os.path.join(ROOT, name)))
    words = ["mvn", "-q", "-B", "-P", "release", "deploy", "-DaltDeploymentRepository=folder::default::file://" + out]
    run(*words, cwd=os.path.join(copy, "frontends/java"))
    return [os.path.join(folder, name) for folder, _, names in os.walk(out) for name in names if name.endswith((".jar", ".pom"))]


def go(out, version):
    """What a module proxy serves: a tag of the repository gives the same."""
    version = "v" + version
    served = os.path.join(out, GO_MODULE, "@v")
    os.makedirs(served, exist_ok=True)
    path = os.path.join(served, version + ".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ["frontends/go/go.mod", "frontends/go/tare.go", "frontends/go/README.md", *LICENCES]:
            entry = zipfile.ZipInfo("{}@{}/{}".format(GO_MODULE, version, os.path.basename(name)), (1980, 1, 1, 0, 0, 0))
            archive.writestr(entry, read(os.path.join(ROOT, name)), zipfile.ZIP_DEFLATED)
    write(os.path.join(served, version + ".mod"), read(os.path.join(ROOT, "frontends/go/go.mod")))
    write(os.path.join(served, version + ".info"), '{{"Version":"{}"}}\n'.format(version).encode())
    write(os.path.join(served, "list"), (version + "\n").encode())
    return [path]


def cpp(out, version):
    """The header with its CMake files, Conan recipe and vcpkg port, and the digest that FetchContent, Conan and vcpkg ask for."""
    top = "tare-cpp-" + version
    wanted = [name for name in files("frontends/cpp") if not name.startswith(("frontends/cpp/tests/", "frontends/cpp/examples/"))]
    entries = [(os.path.join(top, os.path.relpath(name, "frontends/cpp")), read(os.path.join(ROOT, name))) for name in wanted]
    entries += [(os.path.join(top, name), read(os.path.join(ROOT, name))) for name in LICENCES]
    path = packed(os.path.join(out, top + ".tar.gz"), entries)
    write(path + ".sha256", "{}  {}\n".format(hashlib.sha256(read(path)).hexdigest(), os.path.basename(path)).encode())
    return [path, path + ".sha256"]
