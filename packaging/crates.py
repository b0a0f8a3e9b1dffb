"""The crates as they are published: each with all files that it compiles, under names that are free.

In the repository a crate includes files beside its folder: documents, the protocol, the front ends. Here they are copied below `outside` of
each crate that needs them. `tare` and `tare-cli` belong to other projects where crates are published, so all names begin with `tare-bench`;
the libraries keep theirs, and no source changes for it.
"""

import os
import re
import shutil
import subprocess

from common import LICENCES, ROOT, PackagingError, files, read, run, write

PREFIX = "tare-bench"
# Chores and simulations of the repository.
INTERNAL = {"simulation"}
OUTSIDE = "outside"
# What a source includes by a path from itself, or from its crate.
FROM_FILE = re.compile(r'(include(?:_str|_bytes)?!\(\s*")((?:\.\./)+[^"]+)(")')
FROM_CRATE = re.compile(r'(env!\("CARGO_MANIFEST_DIR"\),\s*"/)((?:\.\./)+[^"]*)(")')
ABOUT = """# {name}

{description}. A part of Tare, the benchmarking system: `cargo install {prefix}-cli` installs its command `tare`.
The interface of this crate is made for the other crates of Tare and changes with any version.
"""


def published(name):
    """The name of a crate where it is published: `tare`, `tare-cli` and so on have the prefix."""
    return PREFIX + name[len("tare"):]


def renamed(manifest, name, is_library):
    """A member's manifest with its name, and without what only the repository needs."""
    text = manifest.replace('name = "{}"'.format(name), 'name = "{}"'.format(published(name)), 1)
    text = re.sub(r"^publish = false\n", "", text, flags=re.M)
    text = re.sub(r"^\[dev-dependencies\]\n(?:(?!\[).*\n?)*", "", text, flags=re.M)
    library = 'name = "{}"\n'.format(name.replace("-", "_"))
    if is_library:
        text = text.replace("[lib]\n", "[lib]\n" + library, 1) if "[lib]\n" in text else text + "\n[lib]\n" + library
    if "\nreadme = " in text:
        text = re.sub(r"\nreadme = .*", '\nreadme = "README.md"', text)
    return text


def dependency(name, fields, version):
    return 'tare-{0} = {{ package = "{1}", version = "={2}", {3} }}'.format(name, published("tare-" + name), version, fields)


class Crate:
    """A crate that is copied: its folder in the repository and in the stage."""

    def __init__(self, source, stage):
        self.source, self.stage = source, stage

    def bring(self, path):
        """Copies a file of the repository, or all files of a folder, below `outside`."""
        # Of the languages, `tare-model` compiles the facts alone.
        facts = [file for file in files(path) if os.path.basename(file) == "facts.rs"]
        for file in facts or files(path) or [path]:
            target = os.path.join(self.stage, OUTSIDE, file)
            # A folder with a manifest of its own is another package, which cargo leaves out.
            write(target + (".nested" if os.path.basename(file) == "Cargo.toml" else ""), read(os.path.join(ROOT, file)))

    def source_text(self, file, text):
        """A source whose paths to files outside of the crate lead into `outside`."""

        def inside(base, match):
            wanted = os.path.normpath(os.path.join(base, match.group(2)))
            if not os.path.relpath(wanted, self.source).startswith(".."):
                return match.group(0)
            if not os.path.exists(os.path.join(ROOT, wanted)):
                raise PackagingError("{} includes `{}`, which is not there".format(file, match.group(2)))
            self.bring(wanted)
            path = os.path.relpath(os.path.join(self.source, OUTSIDE, wanted), base)
            return match.group(1) + path + ("/" if match.group(2).endswith("/") else "") + match.group(3)

        text = FROM_FILE.sub(lambda match: inside(os.path.dirname(file), match), text)
        return FROM_CRATE.sub(lambda match: inside(self.source, match), text)

    def copy(self, name):
        own = [file for file in files(self.source) if not is_test(os.path.relpath(file, self.source))]
        for file in own:
            content = read(os.path.join(ROOT, file))
            if file.endswith(".rs"):
                content = self.source_text(file, content.decode()).encode()
            write(os.path.join(self.stage, os.path.relpath(file, self.source)), content)
        manifest = os.path.join(self.stage, "Cargo.toml")
        text = read(manifest).decode()
        is_library = os.path.exists(os.path.join(self.stage, "src", "lib.rs"))
        write(manifest, renamed(text, name, is_library).encode())
        for licence in LICENCES:
            shutil.copy(os.path.join(ROOT, licence), self.stage)
        description = re.search(r'^description = "(.*)"$', text, re.M).group(1)
        about = ABOUT.format(name=published(name), description=description.rstrip("."), prefix=PREFIX)
        write(os.path.join(self.stage, "README.md"), about.encode())


def is_test(path):
    """What `cargo test` compiles alone: it uses the fixtures of the repository."""
    words = path.split("/")
    return words[0] in ("benches", "examples") or "tests" in words or words[-1] == "tests.rs"


def stage_host(stage, version):
    """The workspace of the host."""
    text = read(os.path.join(ROOT, "Cargo.toml")).decode()
    text = re.sub(r"^members = .*", 'members = ["crates/*"]', text, flags=re.M)
    text = re.sub(r"^exclude = .*\n", "", text, flags=re.M)
    text = re.sub(r"^tare-(\w+) = \{ (path = .*) \}$", lambda m: dependency(m.group(1), m.group(2), version), text, flags=re.M)
    profile = re.search(r"^\[profile\.release\](?:.|\n)*?(?=^# [^\n]*\n\[profile\.dev|^\[profile\.dev)", text, re.M).group(0)
    text = re.sub(r"^\[profile\.dev.*?\](?:.|\n)*", "", text, flags=re.M)
    # Settings of crates by their names.
    text = re.sub(r"^tare-(\w+) = (\{ opt-level)", lambda m: published("tare-" + m.group(1)) + " = " + m.group(2), text, flags=re.M)
    write(os.path.join(stage, "Cargo.toml"), text.encode())
    shutil.copy(os.path.join(ROOT, "Cargo.lock"), stage)
    for name in sorted(os.listdir(os.path.join(ROOT, "crates"))):
        if name not in INTERNAL and os.path.exists(os.path.join(ROOT, "crates", name, "Cargo.toml")):
            crate = Crate("crates/" + name, os.path.join(stage, "crates", name))
            crate.copy("tare-" + name)
            if name == "build":
                bring_front_ends(crate)
            if name == "cli":
                crate.bring("docs/findings")
                crate.bring("docs/from")
                shutil.copy(os.path.join(ROOT, "README.md"), crate.stage)
                # What is installed from a registry is a workspace of its own: these settings are its.
                profile = re.sub(r"^tare-(\w+) = \{", lambda m: published("tare-" + m.group(1)) + " = {", profile, flags=re.M)
                write(os.path.join(crate.stage, "Cargo.toml"), read(os.path.join(crate.stage, "Cargo.toml")) + b"\n" + profile.encode())


def bring_front_ends(crate):
    """What `front-end.txt` of each language names, as `build.rs` reads it."""
    languages = os.path.join(ROOT, "crates/build/src/languages")
    for language in sorted(os.listdir(languages)):
        listed = os.path.join(languages, language, "front-end.txt")
        if os.path.exists(listed):
            lines = [line for line in read(listed).decode().splitlines() if line.strip() and not line.startswith("#")]
            for line in lines[1:]:
                crate.bring(os.path.join(lines[0], line.split()[0]))


def stage_front_end(stage, version):
    """The workspace of the Rust front end."""
    text = read(os.path.join(ROOT, "frontends/rust/Cargo.toml")).decode()
    write(os.path.join(stage, "Cargo.toml"), re.sub(r"^members = .*", 'members = ["tare", "tare-macros"]', text, flags=re.M).encode())
    for name in ("tare", "tare-macros"):
        crate = Crate("frontends/rust/" + name, os.path.join(stage, name))
        crate.copy(name)
        manifest = os.path.join(crate.stage, "Cargo.toml")
        macros = 'tare-macros = {{ package = "{}", version'.format(published("tare-macros"))
        write(manifest, read(manifest).decode().replace("tare-macros = { version", macros).encode())
    readme = read(os.path.join(ROOT, "frontends/rust/README.md"))
    write(os.path.join(stage, "tare", "README.md"), readme)


def stage_all(folder, version):
    """Both workspaces, below a folder of their own."""
    shutil.rmtree(folder, ignore_errors=True)
    stages = [os.path.join(folder, "host"), os.path.join(folder, "front-end")]
    stage_host(stages[0], version)
    stage_front_end(stages[1], version)
    return stages


def build(out, scratch, version):
    """Packs all crates. Nothing of them is compiled here: a test does."""
    target = os.path.join(scratch, "crates-target")
    shutil.rmtree(os.path.join(target, "package"), ignore_errors=True)
    os.makedirs(out, exist_ok=True)
    for stage in stage_all(os.path.join(scratch, "crates"), version):
        words = ["cargo", "package", "--workspace", "--no-verify", "--allow-dirty", "--quiet", "--target-dir", target]
        run(*words, cwd=stage)
    packed = os.path.join(target, "package")
    made = sorted(name for name in os.listdir(packed) if name.endswith(".crate"))
    for name in made:
        shutil.copy(os.path.join(packed, name), out)
    return [os.path.join(out, name) for name in made]


def listed(folder):
    """The files of a crate in the stage, as `cargo package --list` names them."""
    words = ["cargo", "package", "--list", "--allow-dirty", "--offline", "--manifest-path", os.path.join(folder, "Cargo.toml")]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise PackagingError(done.stderr)
    return done.stdout.splitlines()


def find_manifests(stage):
    """Of the crates of a stage."""
    for folder, folders, names in os.walk(stage):
        if folder != stage and "Cargo.toml" in names:
            folders.clear()
            yield os.path.join(folder, "Cargo.toml")
