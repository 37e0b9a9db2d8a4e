"""Where benchmarks keep what they downloaded or installed: outside the repository, for the next time."""

import os
from pathlib import Path


def folder(name: str) -> Path:
    """A folder of the cache; OPILIO_TEST_BENCH_CACHE moves the whole."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    place = Path(os.environ.get("OPILIO_TEST_BENCH_CACHE") or Path(home) / "opilio-benchmarks") / name
    place.mkdir(parents=True, exist_ok=True)
    return place
