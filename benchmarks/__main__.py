"""Runs the benchmarks that are named, or all that belong to a whole measurement."""

import importlib
import signal
import sys

#: What `make bench` measures, and what is run only when it is named.
WHOLE = (
    "pages", "curation", "harvests", "live", "extract", "crawl", "frontier", "archive", "search", "search_views",
    "search_rank", "packaging", "deliveries", "delivery_load", "review",
)  # fmt: skip
NAMES = (*WHOLE, "profile", "frontier_agents", "many_agents", "crawl_server", "load", "capacity")


def main(wanted: list[str]) -> int:
    """Run each; 2 when a name is unknown."""
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        print(f"There is no benchmark {', '.join(unknown)}; there are {', '.join(NAMES)}.", file=sys.stderr)
        return 2
    for name in wanted or WHOLE:
        importlib.import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that servers and folders do not stay behind
    sys.exit(main(sys.argv[1:]))
