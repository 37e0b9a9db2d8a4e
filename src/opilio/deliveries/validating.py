"""Validates documents in processes of their own, a few at once; one that dies costs its document, not the others."""

import multiprocessing
import resource
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from opilio.deliveries.errors import BadDeliveryProfile
from opilio.deliveries.schemas import Schema, XmlFault

_MEMORY = 1 << 30  # bytes that a validator may take
_AT_ONCE = 64  # documents handed out beyond those under way


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """A document to validate."""

    number: int  # what the caller calls it
    path: Path
    schema: Path | None  # None: there is nothing to validate it by


@dataclass(frozen=True, kw_only=True, slots=True)
class Validated:
    """What is wrong with a document; nothing, when it is valid."""

    number: int
    faults: Sequence[XmlFault]


def validated(
    tasks: Sequence[Task], *, processes: int, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Validated]:
    """Each document as it comes; what is left when told to stop is not given. No processes: in this one."""
    if processes == 0:
        yield from (Validated(number=task.number, faults=_faults(task)) for task in tasks if not stopped())
        return
    done: set[int] = set()
    for one in _together(tasks, processes, stopped):
        done.add(one.number)
        yield one
    for task in tasks:  # left when a process died: each by itself, so that the one that kills is known
        if task.number not in done and not stopped():
            yield _alone(task)


def _together(tasks: Sequence[Task], processes: int, stopped: Callable[[], bool]) -> Iterator[Validated]:
    with _pool(processes) as pool:
        for start in range(0, len(tasks), _AT_ONCE):
            if stopped():
                return
            under_way: dict[Future[list[XmlFault]], Task] = {
                pool.submit(_faults, task): task for task in tasks[start : start + _AT_ONCE]
            }
            for future in as_completed(under_way):
                try:
                    yield Validated(number=under_way[future].number, faults=future.result())
                except BrokenProcessPool:
                    return


def _alone(task: Task) -> Validated:
    with _pool(1) as pool:
        try:
            return Validated(number=task.number, faults=pool.submit(_faults, task).result())
        except BrokenProcessPool:
            died = XmlFault(kind="unreadable", message="Reading it ended the process that validates.")
            return Validated(number=task.number, faults=[died])


def _pool(processes: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=context, initializer=_bounded)


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))


@lru_cache(maxsize=32)
def _schema(path: Path) -> Schema:
    return Schema(path)


def _faults(task: Task) -> list[XmlFault]:
    if task.schema is None:
        return []
    try:
        return list(_schema(task.schema).faults(task.path))
    except BadDeliveryProfile:
        raise
    except (MemoryError, OSError) as error:
        return [XmlFault(kind="unreadable", message=f"It cannot be read: {str(error) or 'it needs too much memory'}.")]
