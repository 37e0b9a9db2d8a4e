"""Replay beside the pages: requests under the name for replay, and the names below it, go to the results of harvests.

Archived pages thus never share a host name with the curators' pages, nor with each other.
"""

import atexit
from collections.abc import Awaitable, Callable
from functools import partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connections

from opilio.archive.cdx.searching import Searchable
from opilio.archive.cdx.server import CdxServer
from opilio.archive.replay.application import Replay
from opilio.archive.replay.asgi import Mounted, Receive, ReplayApp, Scope, Send
from opilio.archive.replay.holdings import Wish
from opilio.archive.replay.messages import Request
from opilio.curation import replay_doors, replay_people, replaying
from opilio.curation.replaying import Remembered
from opilio.kernel.access import Rules
from opilio.server import ports
from opilio.works.held_results import HeldResult, HeldResults

P = ParamSpec("P")
R = TypeVar("R")
Pages = Callable[..., Awaitable[None]]  # an ASGI application, as Django has it


class Beside:
    """An application that answers under all host names but those of replay."""

    def __init__(self, pages: Pages, replay: Pages, base: str) -> None:
        self._pages = pages
        self._replay = replay
        self._base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        chosen = self._replay if scope["type"] == "http" and self._is_replay(scope) else self._pages
        await chosen(scope, receive, send)

    def _is_replay(self, scope: Scope) -> bool:
        host = next((value for name, value in scope["headers"] if name.lower() == b"host"), b"")
        name = host.decode("latin-1").lower().partition(":")[0].rstrip(".")
        return name == self._base or name.endswith(f".{self._base}")


def beside(pages: Pages, *, shown: Callable[[Pages], Pages] = lambda replay: replay) -> Beside:
    """The pages, with the replay of results beside them, as `shown` wraps it."""
    return Beside(pages, shown(application()), replay_doors.names().base)


def application() -> ReplayApp:
    """Replay of the results of harvests, opened as they are asked for."""
    rules: Remembered[None, Rules] = Remembered(ask=lambda _: _apart(replaying.taken_down)())
    held = HeldResults(partial(_held, rules=lambda: rules(None)))
    atexit.register(held.close)
    admitted: Remembered[tuple[int, str], bool] = Remembered(ask=lambda asked: _apart(replay_people.admits)(*asked))
    shown = Replay(
        holdings=held, key=replay_doors.key(), names=replay_doors.names(), pages=_pages,
        admits=lambda result, person: admitted((result, person)),
    )  # fmt: skip
    return ReplayApp(shown, https=settings.OPILIO.server_behind_tls, cdx=lambda number: _cdx(held, number))


def _pages(request: Request, result: int) -> str:
    """The page from which a result is opened."""
    port = request.host.removeprefix(request.name).removeprefix(":")
    chosen = settings.OPILIO
    base = chosen.server_public_url or ports.address(chosen.server_host, int(port) if port.isdigit() else 80)
    return f"{base.rstrip('/')}/results/{result}/replay" if result else f"{base.rstrip('/')}/review"


def _held(number: int, rules: Callable[[], Rules]) -> HeldResult | None:
    found = _apart(replaying.held)(number, rules)
    if found is None:
        return None
    return HeldResult(
        folder=found.folder, result=found.result, title=found.title, access=found.access,
        patches=_ApartList(found), missed=_apart(found.missed),
    )  # fmt: skip


class _ApartList:
    """A patch list that is asked in threads which come and go."""

    def __init__(self, held: HeldResult) -> None:
        self._list = held.patches

    def add(self, wish: Wish) -> bool:
        return _apart(self._list.add)(wish)

    def wishes(self) -> list[Wish]:
        return _apart(self._list.wishes)()

    def has(self, url: str) -> bool:
        return _apart(self._list.has)(url)


def _apart(ask: Callable[P, R]) -> Callable[P, R]:
    """Ask the catalogue in a thread that keeps no connection afterwards."""

    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return ask(*args, **kwargs)
        finally:
            connections.close_all()

    return asked


def _cdx(held: HeldResults, number: int) -> Mounted:
    holding = held[number]
    index = holding.source.index
    assert isinstance(index, Searchable)  # noqa: S101 - open_index gives nothing else
    return CdxServer(index, holding.access)
