"""The archive: checking, indexing, finding, packing and replaying captures, beside peers where there are any.

OPILIO_TEST_BENCH_ARCHIVE takes only some parts, separated by semicolons: `cdxj;find`. A part is a module of this
package with `run()`, which measures and returns lines of Markdown; a part that is not there is left out.
"""

import importlib
import importlib.util
import os
from collections.abc import Sequence

from benchmarks import machine

#: The parts in the order of their running; each is a module of this package.
PARTS = ("verify", "cdxj", "find", "wacz", "replay")
CHOSEN = tuple(filter(None, os.environ.get("OPILIO_TEST_BENCH_ARCHIVE", "").split(";")))


def main() -> None:
    """Run the parts, then print what they say in the form of docs/measurements.md."""
    told = [(name, importlib.import_module(f"{__name__}.{name}").run()) for name in parts(CHOSEN)]
    print(f"\n{machine.line()}\n")
    for name, lines in told:
        print(f"### {name}\n\n" + "\n".join(lines) + "\n", flush=True)


def parts(chosen: Sequence[str]) -> list[str]:
    """The parts that are there, and chosen where some are."""
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        raise SystemExit(f"There is no part {', '.join(unknown)}; there are {', '.join(PARTS)}.")
    wanted = [name for name in PARTS if not chosen or name in chosen]
    return [name for name in wanted if importlib.util.find_spec(f"{__name__}.{name}")]


def mark(kept: bool) -> str:
    """What stands behind a figure that misses its promise."""
    return "" if kept else " **not reached**"
