#!/usr/bin/env python3
"""Takes the runtime VERSION out of the self-contained .NET program in FOLDER and installs it below ROOT, where `dotnet` finds it.

    framework.py FOLDER ROOT VERSION

Each part gets its place in one step, and the host resolver last: `dotnet` starts the newest that there is.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

PACK = "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/"
RESOLVER = "libhostfxr.so"

program, root, wanted = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
manifest = json.loads(next(program.glob("*.deps.json")).read_text())
target = manifest["runtimeTarget"]["name"]
pack, files = next((name, files) for name, files in manifest["targets"][target].items() if name.startswith(PACK))
version = pack[len(PACK):]
if version != wanted:
    sys.exit(f"error: the program has .NET {version}, not {wanted}")
native = {name: facts for name, facts in files["native"].items() if name != RESOLVER}


def install(place, names, **texts):
    """Copies the files of the program to a folder that appears when it is complete."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=root) as work:
        folder = Path(work) / place.name
        folder.mkdir()
        for name in names:
            shutil.copy2(program / name, folder / name)
        for name, text in texts.items():
            (folder / name).write_text(text)
        if not place.exists():
            folder.rename(place)


name = "Microsoft.NETCore.App.Runtime.linux-x64/" + version
dependencies = json.dumps({
    "runtimeTarget": {"name": target, "signature": ""},
    "compilationOptions": {},
    "targets": {target: {name: {"runtime": files["runtime"], "native": native}}},
    "libraries": {name: {"type": "package", "serviceable": True, "sha512": ""}},
}, indent=2)
install(root / "shared/Microsoft.NETCore.App" / version, [*files["runtime"], *native], **{"Microsoft.NETCore.App.deps.json": dependencies})
install(root / "host/fxr" / version, [RESOLVER])
