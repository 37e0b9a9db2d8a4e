"""Times reach people through one module, which knows their zone."""

import re
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "src" / "opilio" / "web"
#: Hours and minutes that are written down without a zone: who writes them must be `zones.py`.
_HOURS = re.compile(r"%H:?%M|\|(date|time):[\"'][^\"']*[HGhgiP]")
#: Hours of the week, in the zone of the installation, which the page names; what a replay asks for is UTC by its form;
#: values of fields and filters, which stand in the zone of the reader as their help says.
_OTHERWISE = {
    "views/bandwidth.py", "forms/bandwidth.py", "find_replay.py", "views/reports.py", "forms/results_tools.py",
    "forms/schedules.py",
}  # fmt: skip


def _files():
    return [one for pattern in ("*.py", "*.html") for one in WEB.rglob(pattern) if one.name != "zones.py"]


@pytest.mark.parametrize("pattern", ['{{ at|date:"j M Y H:i" }}', 'f"{at:%Y-%m-%d %H:%M}"', "{{ at|time:'H:i' }}"])
def test_the_pattern_finds_times(pattern):
    """A time that is written by hand is seen."""
    assert _HOURS.search(pattern)


def test_only_one_module_writes_times():
    """Everything else asks it, with the zone of the reader."""
    found = {str(one.relative_to(WEB)) for one in _files() if _HOURS.search(one.read_text("utf-8"))}
    assert found == _OTHERWISE
