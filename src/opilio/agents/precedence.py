"""Lets an agent give way: on a machine with pages, whoever waits for a page comes before a crawl.

What an agent starts gives way as it does. Linux may share the processor among sessions before it looks at processes
(sched(7), autogroups): an agent that leads a session of its own, as `opilio serve` starts it, must lower that too.
"""

import contextlib
import os
from pathlib import Path

_AUTOGROUP = Path("/proc/self/autogroup")


def give_way(nice: int) -> None:
    """Have this process run with at least this niceness, 0 to 19; one that is higher already stays."""
    there = os.nice(0)
    if nice <= there:
        return
    os.nice(nice - there)
    if os.getsid(0) == os.getpid() and _AUTOGROUP.exists():
        with contextlib.suppress(OSError):  # not writable in containers, where the group of the container counts
            _AUTOGROUP.write_text(str(nice))
