#!/usr/bin/env python3
"""Tests the packages that have no language of their own: crates, programs, Debian's. Needs a built `tare`: $TARE_PROGRAM, or target/debug/tare.

The wheel, the npm, NuGet and Maven packages, the Go module and the header are built by the same command and used in the tests of their front
ends. What takes long needs TARE_TEST_LONG, and what this machine lacks is skipped by name.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import crates  # noqa: E402
import programs  # noqa: E402
from common import ROOT, all_files, read, run, version  # noqa: E402

TARGET = os.path.abspath(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")))
TARE = os.path.abspath(os.environ.get("TARE_PROGRAM", os.path.join(TARGET, "debug", "tare")))
LONG = bool(os.environ.get("TARE_TEST_LONG"))

# Where a release has its version; the first group is it.
VERSIONS = {
    "Cargo.toml": r'^version = "(.*)"$',
    "frontends/rust/Cargo.toml": r'^version = "(.*)"$',
    "frontends/rust/tare/Cargo.toml": r'^tare-macros = \{ version = "=(.*?)"',
    "frontends/cpp/include/tare.h": r'define TARE_VERSION "(.*)"',
    "frontends/cpp/vcpkg/vcpkg.json": r'"version": "(.*)"',
    "crates/build/src/languages/native/cmake/tare-config-version.cmake": r'PACKAGE_VERSION "(.*)"',
    "frontends/csharp/Tare/Tare.csproj": r"<Version>(.*)</Version>",
    "frontends/csharp/BenchmarkDotNet/Tare.BenchmarkDotNet.csproj": r"<Version>(.*)</Version>",
    "frontends/csharp/Tare/Child.cs": r'"tare-csharp (.*)"',
    "frontends/go/_overlay/tare_link.go": r'tareVersion +\+?= "(.*)"',
    "frontends/java/pom.xml": r"<version>(.*)</version>",
    "frontends/java/src/tare/child/Child.java": r'"tare-java (.*)"',
    "frontends/javascript/package.json": r'"version": "(.*)"',
    "frontends/python/pyproject.toml": r'^version = "(.*)"$',
    "frontends/python/tare/_version.py": r'__version__ = "(.*)"',
}
# Commands that would install the projects of others, and what may stand behind them instead.
FOREIGN = re.compile(r"cargo (?:add|install)(?: --?[\w-]+)* tare(?:-cli)?\b(?!-bench)(?! --git| --path)|pip3? install(?: -\S+)* tare(?![\w-])")


def skip(what, reason):
    print("skipped: {}: {}".format(what, reason))


class Place(unittest.TestCase):
    def setUp(self):
        self.path = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.path)

    def build(self, *kinds):
        """Builds packages. The program is large: what is packed starts it."""
        program = os.path.join(self.path, "program")
        with open(program, "w") as file:
            file.write("#!/bin/sh\nexec '{}' \"$@\"\n".format(TARE))
        os.chmod(program, 0o755)
        environment = {**os.environ, "TARE_PROGRAM": program, "TARE_PACKAGES": os.path.join(self.path, "out"), "TARE_DEB_COMPRESSION": "0"}
        done = subprocess.run([os.path.join(HERE, "build"), *kinds], cwd=self.path, capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [os.path.join(self.path, name) for name in done.stdout.split()]

    def uses(self, program):
        """That the program measures something."""
        done = subprocess.run([program, "time", "--quick", "--no-save", "true"], cwd=self.path, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Names(unittest.TestCase):
    def test_all_versions_agree(self):
        for path, pattern in VERSIONS.items():
            found = re.search(pattern, read(os.path.join(ROOT, path)).decode(), re.M)
            self.assertIsNotNone(found, "{} has no version that matches {}".format(path, pattern))
            self.assertEqual(found.group(1), version(), path)

    def test_no_page_installs_the_project_of_somebody_else(self):
        for name in all_files():
            if name.endswith((".md", ".yml", ".rs", ".py", ".mjs")) and not name.startswith("packaging/"):
                text = read(os.path.join(ROOT, name)).decode()
                found = FOREIGN.search(text)
                self.assertIsNone(found, "{}: {}".format(name, found and text[found.start() :].split("\n")[0]))

    def test_a_package_that_is_not_known(self):
        done = subprocess.run([os.path.join(HERE, "build"), "rpm"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("error: there is no package `rpm`", done.stderr)


class Crates(Place):
    def test_each_holds_what_it_includes(self):
        included = 0
        for stage in crates.stage_all(os.path.join(self.path, "crates"), version()):
            for folder in map(os.path.dirname, crates.find_manifests(stage)):
                text = read(os.path.join(folder, "Cargo.toml")).decode()
                self.assertRegex(text, r'name = "tare-bench', folder)
                for name in ("README.md", "LICENSE-MIT", "LICENSE-APACHE"):
                    self.assertTrue(os.path.isfile(os.path.join(folder, name)), folder)
                files = {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}
                # Front ends are texts here.
                for source in sorted(file for file in files if file.endswith(".rs") and not file.startswith("outside/frontends")):
                    text = read(os.path.join(folder, source)).decode()
                    for path in re.findall(r'include(?:_str|_bytes)?!\(\s*"([^"]+)"', text):
                        path = os.path.normpath(os.path.join(os.path.dirname(source), path))
                        self.assertIn(path, files, "{} of {}".format(source, folder))
                        included += 1
                    self.assertFalse('"/../' in text, "{} of {}".format(source, folder))
                if os.path.exists(os.path.join(folder, "outside")):
                    self.assertEqual(files - set(crates.listed(folder)) - {"Cargo.toml.orig"}, set(), folder)
        self.assertGreater(included, 50)

    @unittest.skipUnless(LONG, "builds Tare from its crates")
    def test_the_command_is_installed_from_them(self):
        made = self.build("crates")
        for path in made:
            with tarfile.open(path) as archive:
                archive.extractall(os.path.join(self.path, "unpacked"))
        unpacked = os.path.join(self.path, "unpacked")
        # In place of the registry.
        config = ["[patch.crates-io]"]
        folders = sorted(os.listdir(unpacked))
        own = "tare-bench-cli-" + version()
        for folder in folders:
            if folder != own:
                config.append('{} = {{ path = "{}/{}" }}'.format(folder[: -len("-" + version())], unpacked, folder))
        with open(os.path.join(self.path, "config.toml"), "w") as file:
            file.write("\n".join(config) + "\n")
        # Third-party crates are compiled once.
        words = ["cargo", "install", "--debug", "--path", os.path.join(unpacked, own), "--root", os.path.join(self.path, "root")]
        words += ["--config", os.path.join(self.path, "config.toml"), "--target-dir", os.path.join(TARGET, "packages-test")]
        run(*words, cwd=self.path, env={**os.environ, "CARGO_PROFILE_DEV_DEBUG": "false"})
        program = os.path.join(self.path, "root", "bin", "tare")
        # Each front end is in it.
        example = shutil.copy(os.path.join(ROOT, "examples", "cpp", "classics.cpp"), self.path)
        environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(self.path, "cache")}
        done = subprocess.run([program, "run", example, "--dry"], cwd=self.path, capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(" ran", done.stdout)
        for topic in ("findings", "drift", "protocol"):
            run(program, "help", topic)
        # A package whose benchmarks depend on the front end by the name under which it is published.
        bench = os.path.join(self.path, "bench")
        os.makedirs(os.path.join(bench, "benches"))
        os.makedirs(os.path.join(bench, "src"))
        with open(os.path.join(bench, "Cargo.toml"), "w") as file:
            file.write('[package]\nname = "user"\nversion = "0.1.0"\nedition = "2021"\n[dev-dependencies]\n')
            file.write('tare-bench = {{ path = "{}/tare-bench-{}" }}\n'.format(unpacked, version()))
            file.write('[[bench]]\nname = "sum"\nharness = false\n[workspace]\n[patch.crates-io]\n')
            file.write('tare-bench-macros = {{ path = "{}/tare-bench-macros-{}" }}\n'.format(unpacked, version()))
        with open(os.path.join(bench, "src", "lib.rs"), "w"):
            pass
        with open(os.path.join(bench, "benches", "sum.rs"), "w") as file:
            file.write("#[tare::bench]\nfn sum() -> u64 {\n    (0..9).map(tare::keep).sum()\n}\n\nfn main() {\n    tare::main()\n}\n")
        done = subprocess.run([program, "run", ".", "--dry"], cwd=bench, capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"sum +ran")


class Programs(Place):
    def test_the_archive_is_unpacked_and_used(self):
        (made,) = self.build("programs")
        with tarfile.open(made) as archive:
            archive.extractall(self.path)
        top = os.path.join(self.path, "tare-{}-{}-linux".format(version(), platform.machine()))
        self.uses(os.path.join(top, "tare"))
        for name in ("LICENSE-MIT", "LICENSE-APACHE", "README.md", "share/man/man1/tare.1", "share/bash-completion/completions/tare"):
            self.assertTrue(os.path.getsize(os.path.join(top, name)), name)
        with open(os.path.join(top, "README.md")) as file:
            about = file.read()
        self.assertIn("install tare ~/.local/bin", about)
        # The documents are not in the archive.
        self.assertNotIn("](", about)

    def test_the_package_of_debian_is_installed_and_used(self):
        if shutil.which("dpkg-deb") is None:
            return skip("the package for Debian", "dpkg-deb is not installed")
        (made,) = self.build("debian")
        root = os.path.join(self.path, "root")
        if os.getuid() == 0 and shutil.which("dpkg"):
            os.makedirs(os.path.join(root, "var/lib/dpkg/info"))
            os.makedirs(os.path.join(root, "var/lib/dpkg/updates"))
            open(os.path.join(root, "var/lib/dpkg/status"), "w").close()
            run("dpkg", "--root", root, "--log", os.path.join(self.path, "log"), "--install", made)
            self.assertIn("Status: install ok installed", run("dpkg", "--root", root, "--status", "tare"))
        else:
            run("dpkg-deb", "-x", made, root)
        self.uses(os.path.join(root, "usr/bin/tare"))
        for name in ("share/man/man1/tare.1.gz", "share/doc/tare/copyright", "share/doc/tare/changelog.gz", "share/zsh/vendor-completions/_tare"):
            self.assertTrue(os.path.getsize(os.path.join(root, "usr", name)), name)
        fields = run("dpkg-deb", "--field", made)
        for line in ("Package: tare", "Version: " + version(), "Section: devel", "Maintainer: ", "Installed-Size: "):
            self.assertIn("\n" + line, "\n" + fields)
        copyright_file = read(os.path.join(root, "usr/share/doc/tare/copyright")).decode()
        self.assertIn("License: Expat or Apache-2.0", copyright_file)
        self.assertIn("Permission is hereby granted", copyright_file)
        if not LONG or shutil.which("lintian") is None:
            return skip("lintian", "it is not installed" if LONG else "TARE_TEST_LONG=1 starts it")
        # The program of this test is a script, which needs none.
        words = ["lintian", "--fail-on", "error", "--suppress-tags", "no-code-sections", made]
        done = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_release_is_static(self):
        for processor, target in programs.TARGETS.items():
            program = os.path.join(TARGET, target["triple"], "release", "tare")
            if not os.path.exists(program):
                skip("the static program for " + processor, "`packaging/build programs` builds it")
                continue
            self.assertEqual(interpreter(program), [], processor)


def interpreter(program):
    """The program headers of a 64-bit ELF file that ask for a loader."""
    content = read(program)
    number = lambda at, size: int.from_bytes(content[at : at + size], "little")
    first, size, count = number(32, 8), number(54, 2), number(56, 2)
    return [index for index in range(count) if number(first + index * size, 4) == 3]


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    failed = len(result.failures) + len(result.errors)
    for test, reason in result.skipped:
        skip(test.id().split(".")[-1].replace("test_", "").replace("_", " "), reason)
    print("{} passed, {} failed".format(result.testsRun - failed - len(result.skipped), failed))
    sys.exit(1 if failed else 0)
