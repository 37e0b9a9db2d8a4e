"""A pytest plugin (`-p tests.costs`) that says at the end how much processor time each file of tests took.

Programs that tests start count when they have ended, with those of the nursery; time is seconds of user and system.
"""

import os
import resource
from collections import Counter
from pathlib import Path

import pytest

from tests import nursery

_SHOWN = 40
_TICKS = os.sysconf("SC_CLK_TCK")
_ENDED = slice(13, 15)  # of what follows the name in /proc/PID/stat: time of children that have ended
_seconds: Counter[str] = Counter()


def _spent() -> float:
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses) + sum(map(_of_children, nursery.numbers()))


def _of_children(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[_ENDED])) / _TICKS


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    before = _spent()
    try:
        return (yield)
    finally:
        _seconds[item.nodeid.partition("::")[0]] += _spent() - before


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["costs"] = dict(_seconds)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    _seconds.update(getattr(node, "workeroutput", {}).get("costs", {}))


def pytest_terminal_summary(terminalreporter):
    terminalreporter.section(f"processor time: {sum(_seconds.values()):.0f} s")
    for name, seconds in _seconds.most_common(_SHOWN):
        terminalreporter.write_line(f"{seconds:7.1f} s  {name}")
