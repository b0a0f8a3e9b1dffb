"""What the packages share: the files of the repository, the version, and commands that must succeed."""

import functools
import os
import re
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LICENCES = ("LICENSE-MIT", "LICENSE-APACHE")


class PackagingError(Exception):
    """What a person should read."""


class Skipped(Exception):
    """What this machine lacks for a package."""


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def run(*words, **more):
    """Runs a command; shows its output when it fails."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        raise PackagingError("`{}` failed (exit {}):\n{}".format(" ".join(map(str, words)), done.returncode, done.stdout))
    return done.stdout


def need(tool, why):
    """The path of a tool."""
    path = shutil.which(tool)
    if path is None:
        raise Skipped("{}: `{}` is not installed".format(why, tool))
    return path


@functools.lru_cache(maxsize=None)
def all_files():
    done = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True)
    if done.returncode != 0:
        raise PackagingError("packages are built in a git clone: " + done.stderr.decode())
    names = sorted(name for name in done.stdout.decode().split("\0") if name)
    return [name for name in names if os.path.isfile(os.path.join(ROOT, name))]


def files(folder):
    """The files of a folder that git knows or would take, by their paths from the root."""
    return [name for name in all_files() if name.startswith(folder.rstrip("/") + "/")]


def version():
    """That of the workspace, with which all others agree (a test)."""
    return re.search(r'^version = "(.*)"$', read(os.path.join(ROOT, "Cargo.toml")).decode(), re.M).group(1)
