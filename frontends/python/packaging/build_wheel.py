"""Builds the package with the program `tare` in it, so that `pip install` provides the command. It is its own build backend (PEP 517) and has
no dependencies.

    pip wheel --no-deps .        or        python packaging/build_wheel.py FOLDER
    python packaging/build_wheel.py FOLDER --sources        the front end alone, as a source distribution

The package is called `tare-bench`, because the name `tare` is taken by another project; it is imported as `tare`. `TARE_PROGRAM` names the program;
by default, one that is already built is used. `TARE_WHEEL_COMPRESSION` is 0 to 9.
"""

import base64
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(HERE))


def project():
    """The name, version and other fields of `pyproject.toml` that the metadata repeats."""
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        text = file.read()

    def field(name):
        return re.search(r'^{} = "(.*)"'.format(name), text, re.M).group(1)

    classifiers = re.findall(r'^    "(.* :: .*)",$', text, re.M)
    return {name: field(name) for name in ("name", "version", "description", "requires-python")}, classifiers


def metadata():
    fields, classifiers = project()
    lines = ["Metadata-Version: 2.1", "Name: " + fields["name"], "Version: " + fields["version"]]
    lines += ["Summary: " + fields["description"], "License: MIT OR Apache-2.0"]
    lines += ["Requires-Python: " + fields["requires-python"], "Description-Content-Type: text/markdown"]
    lines += ["Classifier: " + classifier for classifier in classifiers]
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        return "\n".join(lines) + "\n\n" + file.read()


def program():
    """The path of the program: named, built in this clone, or installed. It is not built here, because `pip` would hide minutes of building."""
    built = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release", "tare")
    for path in (os.environ.get("TARE_PROGRAM"), built, shutil.which("tare")):
        if path and os.path.exists(path) and (path != shutil.which("tare") or is_ours(path)):
            return path
    sys.exit(
        "error: there is no program `tare` to pack\n\nhint: build it, which takes minutes: `cargo install --path crates/cli`"
    )


def is_ours(path):
    """Whether this is our `tare`: another project has a command of the same name."""
    said = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return said.split()[:2] == ["tare", project()[0]["version"]]


def sources():
    """The files of the package, by their path in it."""
    for folder, folders, names in os.walk(os.path.join(HERE, "tare")):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            if name.endswith(".py") or name == "py.typed":
                path = os.path.join(folder, name)
                yield os.path.relpath(path, HERE), path


def platforms():
    """The supported platforms, joined by dots. `TARE_WHEEL_PLATFORM` sets them for a static program."""
    return os.environ.get("TARE_WHEEL_PLATFORM") or re.sub(r"[-.]", "_", sysconfig.get_platform())


def named(fields):
    """The prefix of the names of files and folders."""
    return "{}-{}".format(fields["name"].replace("-", "_"), fields["version"])


def licences():
    """The licences: at the root of a clone, or beside `pyproject.toml` in a source distribution."""
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        for folder in (HERE, ROOT):
            if os.path.exists(os.path.join(folder, name)):
                yield name, os.path.join(folder, name)
                break


class Wheel:
    def __init__(self, path):
        level = int(os.environ.get("TARE_WHEEL_COMPRESSION", "6"))
        kind = zipfile.ZIP_DEFLATED if level else zipfile.ZIP_STORED
        self.file = zipfile.ZipFile(path, "w", kind, compresslevel=level)
        self.record = []

    def add(self, name, content, mode=0o644):
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = self.file.compression
        self.file.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append("{},sha256={},{}".format(name, digest, len(content)))

    def close(self, record):
        self.record.append(record + ",,")
        self.file.writestr(record, "\n".join(self.record) + "\n")
        self.file.close()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    fields, _ = project()
    name = named(fields)
    file = "{}-py3-none-{}.whl".format(name, platforms())
    wheel = Wheel(os.path.join(wheel_directory, file))
    for inside, path in sources():
        wheel.add(inside, read(path))
    wheel.add(name + ".data/scripts/tare", read(program()), 0o755)
    info = name + ".dist-info/"
    wheel.add(info + "METADATA", metadata().encode())
    wheel.add(info + "entry_points.txt", b"[pytest11]\ntare = tare.pytest_plugin\n")
    for licence, path in licences():
        wheel.add(info + "licenses/" + licence, read(path))
    tags = "".join("Tag: py3-none-{}\n".format(platform) for platform in platforms().split("."))
    about = "Wheel-Version: 1.0\nGenerator: tare\nRoot-Is-Purelib: false\n" + tags
    wheel.add(info + "WHEEL", about.encode())
    wheel.close(info + "RECORD")
    return file


def build_sdist(sdist_directory, config_settings=None):
    """Builds the front end without the program, which needs a clone of the whole repository or `TARE_PROGRAM`."""
    fields, _ = project()
    name = named(fields)
    with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz") as archive:
        for inside in ("pyproject.toml", "README.md", "start.py", "tare", "packaging"):
            archive.add(os.path.join(HERE, inside), name + "/" + inside, filter=without_caches)
        for licence, path in licences():
            archive.add(path, name + "/" + licence)
        entry = tarfile.TarInfo(name + "/PKG-INFO")
        about = metadata().encode()
        entry.size, entry.mode = len(about), 0o644
        archive.addfile(entry, io.BytesIO(about))
    return name + ".tar.gz"


def without_caches(entry):
    return None if "__pycache__" in entry.name else entry


if __name__ == "__main__":
    wanted = [word for word in sys.argv[1:] if word != "--sources"]
    build = build_sdist if "--sources" in sys.argv else build_wheel
    print(build(wanted[0] if wanted else "."))
