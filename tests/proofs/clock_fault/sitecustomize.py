"""A fault for processes of a proof: their wall clock is off by the seconds in the file OPILIO_TEST_CLOCK.

Python imports this by itself where its folder is in PYTHONPATH. All of Opilio asks kernel.clock for the time.
"""

import os
from datetime import timedelta
from pathlib import Path

from opilio.kernel.clock import SystemClock

_FILE = Path(os.environ["OPILIO_TEST_CLOCK"])
_right = SystemClock.now


def _off(clock):
    return _right(clock) + timedelta(seconds=float(_FILE.read_text() or 0))


SystemClock.now = _off
