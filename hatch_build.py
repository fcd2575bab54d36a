"""Builds the search kernel (latinsearch/scorers/kernel.c) if there is a C compiler; without one numpy does its work."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("latinsearch", "scorers", "kernel.c")
LIBRARY = SOURCE.with_name("libkernel" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so"))
# No contraction and no fast maths: every machine must give the same bits.
FLAGS = ["-O3", "-std=c11", "-fPIC", "-shared", "-ffp-contract=off"]


class KernelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Run by hatchling for wheels and editable installs."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        library = root / LIBRARY
        if not compiled(root / SOURCE, library):
            self.app.display_warning("no C compiler: latinsearch will search by numpy, with the same hits, more slowly")
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
        if version != "editable":
            build_data["force_include"][str(library)] = str(LIBRARY)


def compiled(source: Path, library: Path) -> bool:
    """Whether one of the compilers made the library of the source."""
    library.unlink(missing_ok=True)
    for compiler in filter(None, (os.environ.get("CC"), "cc", "gcc", "clang")):
        command = shlex.split(compiler)
        if shutil.which(command[0]) is None:
            continue
        made = library.with_suffix(f".{os.getpid()}.tmp")
        done = subprocess.run([*command, *FLAGS, "-o", str(made), str(source), "-lm"], capture_output=True, check=False)
        if done.returncode == 0:
            made.replace(library)
            return True
        made.unlink(missing_ok=True)
    return False
