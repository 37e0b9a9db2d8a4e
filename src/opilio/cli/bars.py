"""Bars for work that tells its steps as (step, done, total); one bar for each step, on a terminal."""

import contextlib
from collections.abc import Iterator

from opilio.archive.packing.parcel import Told
from opilio.cli import output
from opilio.cli.output import Advance


@contextlib.contextmanager
def bars() -> Iterator[Told]:
    """Gives what the work is to tell."""
    with output.steps() as begin:
        begun: dict[str, Advance] = {}

        def told(step: str, done: int, total: int) -> None:
            if step not in begun:
                begun[step] = begin(step)
            begun[step](done, max(total, done))

        yield told
