"""The line that every measurement carries: when, and on what."""

import os
import platform
from pathlib import Path

from opilio.kernel.clock import SYSTEM


def line() -> str:
    """Date, cores, processor and Python."""
    model = next(
        (
            text.partition(":")[2].strip()
            for text in Path("/proc/cpuinfo").read_text().splitlines()
            if text.startswith("model name")
        ),
        platform.machine(),
    )
    return f"{SYSTEM.now():%Y-%m-%d}, {os.cpu_count()} cores of {model}, Python {platform.python_version()}"
