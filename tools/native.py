"""Builds the C extensions of Opilio, with the C compiler of the machine: at installation, or by hand after a change.

Without a compiler or Python's headers nothing is built, and Opilio runs as well, only slower: this says so, and an
installation goes on. OPILIO_NATIVE=no leaves the extensions out.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_SOURCES = Path(__file__).parents[1] / "src"
#: Folders of packages with a folder `native`, and in it the source of the extension, which is named after it.
_EXTENSIONS = ("opilio/extract/quick", "opilio/search/analysis/feeding")
_OPTIONS = ("-O3", "-fPIC", "-shared", "-std=gnu11", "-D_GNU_SOURCE", "-DNDEBUG", "-Wall", "-Wextra")
_OFF = frozenset({"0", "no", "off", "false"})


class NativeHook(BuildHookInterface):
    """Puts the extensions into what is installed; a wheel without them is a pure one."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build them where they can be built."""
        if self.target_name != "wheel":
            return
        if reason := build():
            self.app.display_warning(reason)
        elif version != "editable":
            build_data["force_include"].update({str(_SOURCES / each): each for each in map(target, _EXTENSIONS)})
            build_data["pure_python"] = False
            build_data["infer_tag"] = True


def target(extension: str) -> str:
    """Where Python looks for an extension."""
    package, _, name = extension.rpartition("/")
    return f"{package}/_{name}{sysconfig.get_config_var('EXT_SUFFIX')}"


def build() -> str:
    """Compile them; why there are none now, in words, if so."""
    reason = _hindrance() or next(filter(None, map(_compiled, _EXTENSIONS)), "")
    if reason:
        for extension in _EXTENSIONS:
            (_SOURCES / target(extension)).unlink(missing_ok=True)
        return f"Pages are read and indexed without the C extensions, which takes about twice as long: {reason}"
    return ""


def _hindrance() -> str:
    if os.environ.get("OPILIO_NATIVE", "").lower() in _OFF:
        return "OPILIO_NATIVE says so."
    if shutil.which(_compiler()[0]) is None:
        return f"there is no {_compiler()[0]}. On Debian: apt-get install gcc libc6-dev, then install Opilio again."
    if not (_headers() / "Python.h").exists():
        return "Python's headers are missing. On Debian: apt-get install python3-dev, then install Opilio again."
    return ""


def _compiler() -> list[str]:
    return shlex.split(os.environ.get("CC", "cc"))


def _headers() -> Path:
    return Path(sysconfig.get_paths()["include"])


def _compiled(extension: str) -> str:
    """Compile aside and switch, so that a running process keeps what it has; why it failed, if it did."""
    package, _, name = extension.rpartition("/")
    made, source = _SOURCES / target(extension), _SOURCES / package / "native" / f"{name}.c"
    aside = made.with_name(f"{made.name}.{os.getpid()}")
    command = [*_compiler(), *_OPTIONS, f"-I{_headers()}", str(source), "-o", str(aside)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        aside.unlink(missing_ok=True)
        return f"the compiler refused it.\n{done.stderr[-2000:]}"
    aside.replace(made)
    return ""


if __name__ == "__main__":
    print(build() or f"Built {', '.join(map(target, _EXTENSIONS))}.", file=sys.stderr)
