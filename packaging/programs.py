"""The program: static ones for Linux, in archives and in packages for Debian."""

import gzip
import hashlib
import io
import os
import platform
import shutil
import subprocess
import tarfile

from common import LICENCES, ROOT, need, read, run, write

# Linked with musl into one file that needs no library: it runs on every Linux of its processor. SQLite and `ring` need a C compiler for it.
# That for AArch64 has the headers of glibc. Their names for large files are not in musl, and not needed on a processor of 64 bits; nor are
# those of fortified functions, which some distributions ask for by default.
TARGETS = {
    "x86_64": {
        "triple": "x86_64-unknown-linux-musl",
        "cc": "musl-gcc",
        "flags": "",
        "linker": None,
        "debian": "amd64",
        "npm": "x64",
    },
    "aarch64": {
        "triple": "aarch64-unknown-linux-musl",
        "cc": "aarch64-linux-gnu-gcc",
        "flags": "-DSQLITE_DISABLE_LFS -U_FORTIFY_SOURCE",
        "linker": "aarch64-linux-gnu-gcc",
        "debian": "arm64",
        "npm": "arm64",
    },
}
# Where a shell looks for what completes its commands.
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/tare",
    "zsh": "usr/share/zsh/vendor-completions/_tare",
    "fish": "usr/share/fish/vendor_completions.d/tare.fish",
}
MANUAL = "usr/share/man/man1/"
# For whoever has the program and no clone.
README = "packaging/README-program.md"
ABOUT = """tells which code is faster, and whether to believe it
 Tare measures how long code takes, in C, C++, Rust, C#, Java, Python, Go,
 JavaScript, TypeScript and any other language, and whole commands. It starts
 several processes of each benchmark, measures them in turn, and says faster,
 slower, same or unclear, with a controlled rate of false alarms."""


def build(processor):
    """The program for a processor: a static one in release mode; `TARE_PROGRAM` names another for the processor of this machine."""
    named = os.environ.get("TARE_PROGRAM")
    if named:
        if processor != platform.machine():
            return None
        return named
    target = TARGETS[processor]
    need("cargo", "the program for " + processor)
    need(target["cc"], "the program for " + processor)
    name = target["triple"]
    of_target = name.replace("-", "_")
    variables = {"CC_" + of_target: target["cc"], "CFLAGS_" + of_target: target["flags"], "CARGO_PROFILE_RELEASE_STRIP": "symbols"}
    if target["linker"]:
        variables["CARGO_TARGET_{}_LINKER".format(of_target.upper())] = target["linker"]
    environment = {**variables, **os.environ}
    folder = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    run("cargo", "build", "--release", "--locked", "--package", "tare-cli", "--features", "postgres", "--target", name, cwd=ROOT, env=environment)
    return os.path.join(folder, name, "release", "tare")


def extras(program, scratch):
    """Completions by shell and manual pages by name: `tare` writes both from the definitions of its commands."""
    completions = {shell: run(program, "completions", shell).encode() for shell in COMPLETIONS}
    folder = os.path.join(scratch, "man-pages")
    shutil.rmtree(folder, ignore_errors=True)
    run(program, "help", "--man", folder)
    return completions, {name: read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}


def added(archive, name, content, mode=0o644):
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), mode
    archive.addfile(entry, io.BytesIO(content))


def packed(path, entries):
    """A `tar.gz` of names, contents and modes that has the same bytes each time."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as whole:
        with tarfile.open(fileobj=whole, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, content, *mode in sorted(entries):
                added(archive, name, content, *mode)
    return path


def archive(out, processor, program, extra, version):
    """`tare-VERSION-PROCESSOR-linux.tar.gz`: the program, completions, manual pages, licences."""
    completions, pages = extra
    top = "tare-{}-{}-linux".format(version, processor)
    entries = [(top + "/tare", read(program), 0o755)]
    entries += [("{}/{}".format(top, name), read(os.path.join(ROOT, name))) for name in ("CHANGELOG.md", *LICENCES)]
    entries.append((top + "/README.md", read(os.path.join(ROOT, README))))
    shared = [(path, completions[shell]) for shell, path in COMPLETIONS.items()]
    shared += [(MANUAL + name, page) for name, page in pages.items()]
    # Below the prefix that the user chooses, in place of `usr`.
    entries += [(top + path[len("usr"):], content) for path, content in shared]
    return packed(os.path.join(out, top + ".tar.gz"), entries)


def compressed(content):
    whole = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, whole, 0) as file:
        file.write(content)
    return whole.getvalue()


def copyright_file():
    """The licences in Debian's form. That of Apache is a file of every Debian."""
    mit = read(os.path.join(ROOT, "LICENSE-MIT")).decode().strip()
    holder = next(line for line in mit.splitlines() if line.startswith("Copyright"))[len("Copyright (c) "):]
    text = "\n".join(" " + (line or ".") for line in mit.split("\n\n", 2)[2].splitlines())
    return """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: tare

Files: *
Copyright: {}
License: Expat or Apache-2.0

License: Expat
{}

License: Apache-2.0
 On Debian systems, the text of this licence is in
 /usr/share/common-licenses/Apache-2.0.
""".format(holder, text)


def debian_files(program, extra, version):
    completions, pages = extra
    yield "usr/bin/tare", read(program), 0o755
    for shell, path in COMPLETIONS.items():
        yield path, completions[shell], 0o644
    for name, page in pages.items():
        yield MANUAL + name + ".gz", compressed(page), 0o644
    yield "usr/share/doc/tare/copyright", copyright_file().encode(), 0o644
    yield "usr/share/doc/tare/README.md.gz", compressed(read(os.path.join(ROOT, README))), 0o644
    yield "usr/share/doc/tare/NEWS.md.gz", compressed(read(os.path.join(ROOT, "CHANGELOG.md"))), 0o644
    changes = "tare ({}) unstable; urgency=medium\n\n  * See NEWS.md.gz.\n\n -- {}  {}\n".format(version, maintainer(), release_date())
    yield "usr/share/doc/tare/changelog.gz", compressed(changes.encode()), 0o644


def maintainer():
    return os.environ.get("DEBIAN_MAINTAINER", "The Tare authors <authors@tare.dev>")


def release_date():
    """That of the commit, so that the same commit gives the same package."""
    done = subprocess.run(["git", "log", "-1", "--format=%cD"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or "Thu, 01 Jan 1970 00:00:00 +0000"


def debian(out, processor, program, extra, scratch, version):
    """`tare_VERSION_ARCHITECTURE.deb`, by dpkg-deb alone."""
    need("dpkg-deb", "the package for Debian")
    architecture = TARGETS[processor]["debian"]
    folder = os.path.join(scratch, "deb-" + architecture)
    shutil.rmtree(folder, ignore_errors=True)
    sums, size = [], 0
    for name, content, mode in debian_files(program, extra, version):
        path = os.path.join(folder, name)
        write(path, content)
        os.chmod(path, mode)
        sums.append("{}  {}\n".format(hashlib.md5(content).hexdigest(), name))
        size += len(content)
    for here, folders, _ in os.walk(folder):
        os.chmod(here, 0o755)
    control = [
        ("Package", "tare"),
        ("Version", version),
        ("Architecture", architecture),
        ("Maintainer", maintainer()),
        ("Installed-Size", str((size + 1023) // 1024)),
        ("Suggests", "g++ | clang, cargo, python3, nodejs, golang-go, default-jdk-headless, valgrind"),
        ("Section", "devel"),
        ("Priority", "optional"),
        ("Description", ABOUT),
    ]
    write(os.path.join(folder, "DEBIAN", "control"), "".join("{}: {}\n".format(*field) for field in control).encode())
    write(os.path.join(folder, "DEBIAN", "md5sums"), "".join(sums).encode())
    os.chmod(os.path.join(folder, "DEBIAN"), 0o755)
    path = os.path.join(out, "tare_{}_{}.deb".format(version, architecture))
    os.makedirs(out, exist_ok=True)
    # `xz` is the form that every Debian since 2013 reads. Fast where it is for a test.
    level = os.environ.get("TARE_DEB_COMPRESSION", "9")
    run("dpkg-deb", "--root-owner-group", "-Zxz", "-z" + level, "--build", folder, path)
    return path
