#!/usr/bin/env python3
"""Takes the runtime out of a self-contained program of .NET: FOLDER is the program's, ROOT the one of `dotnet`, which finds the runtime there.

    framework.py FOLDER ROOT
"""

import json
import shutil
import sys
from pathlib import Path

PACK = "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/"
# It chooses among the runtimes and stands beside them.
CHOOSER = "libhostfxr.so"

program, root = Path(sys.argv[1]), Path(sys.argv[2])
manifest = json.loads(next(program.glob("*.deps.json")).read_text())
target = manifest["runtimeTarget"]["name"]
pack, files = next((name, files) for name, files in manifest["targets"][target].items() if name.startswith(PACK))
version = pack[len(PACK):]
native = {name: facts for name, facts in files["native"].items() if name != CHOOSER}

folder = root / "shared/Microsoft.NETCore.App" / version
folder.mkdir(parents=True, exist_ok=True)
for name in [*files["runtime"], *native]:
    shutil.copy2(program / name, folder / name)
name = "Microsoft.NETCore.App.Runtime.linux-x64/" + version
(folder / "Microsoft.NETCore.App.deps.json").write_text(json.dumps({
    "runtimeTarget": {"name": target, "signature": ""},
    "compilationOptions": {},
    "targets": {target: {name: {"runtime": files["runtime"], "native": native}}},
    "libraries": {name: {"type": "package", "serviceable": True, "sha512": ""}},
}, indent=2))
chooser = root / "host/fxr" / version
chooser.mkdir(parents=True, exist_ok=True)
shutil.copy2(program / CHOOSER, chooser / CHOOSER)
