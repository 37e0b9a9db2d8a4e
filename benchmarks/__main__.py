"""Runs the benchmarks that are named, or all."""

import importlib
import sys
from pathlib import Path

NAMES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if not path.stem.startswith("_") and path.stem != "machine" and not path.stem.endswith("_data")
)


def main(wanted: list[str]) -> int:
    """Run each; 2 when a name is unknown."""
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        print(f"There is no benchmark {', '.join(unknown)}; there are {', '.join(NAMES)}.", file=sys.stderr)
        return 2
    for name in wanted or NAMES:
        importlib.import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
