"""What a behaviour is: a name, a place on the server, and a function from a visit to an answer."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.servers.answers import Answer
from tests.servers.request import Request


@dataclass(kw_only=True)
class Memory:
    """What the server remembers between requests. Everything runs in one event loop, so counts are exact."""

    counts: Counter[tuple[str, ...]] = field(default_factory=Counter)
    nonces: dict[str, list[int]] = field(default_factory=dict)  # digest nonce → the request counts seen
    tokens: set[str] = field(default_factory=set)  # of login forms handed out
    sessions: dict[str, "Session"] = field(default_factory=dict)  # sign-in sessions by cookie
    robots_file: Path | None = None  # the control file of robots.py


@dataclass(kw_only=True)
class Session:
    """A sign-in session of the login form."""

    left: int | None  # requests it still lasts; None: for ever
    over: str  # what happens afterwards: redirect, page, forbidden


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One request as a behaviour sees it."""

    request: Request
    rest: tuple[str, ...]  # segments of the path below the behaviour's own
    memory: Memory

    def count(self) -> int:
        """How often this host and target were asked for, this time included; a `?key=` of one's own starts at 1."""
        key = (self.request.host, self.request.local_target)
        self.memory.counts[key] += 1
        return self.memory.counts[key]

    def text(self, name: str, default: str) -> str:
        """A parameter of the query."""
        return self.request.query.get(name, default)

    def number(self, name: str, default: int, *, low: int = 0, high: int = 1 << 40) -> int:
        """A whole number of the query; anything else is answered with 400."""
        return whole(self.text(name, str(default)), name=name, low=low, high=high)

    def seconds(self, name: str, default: float) -> float:
        """A duration of the query, up to an hour."""
        value = float(self.text(name, str(default)))
        if not 0 <= value <= 3600:
            raise ValueError(f"{name}={value} is not between 0 and 3600 seconds")
        return value

    def segment(self, default: str = "") -> str:
        """The first segment below the behaviour's path."""
        return self.rest[0] if self.rest else default


def whole(text: str, *, name: str, low: int = 0, high: int = 1 << 40) -> int:
    """The number that a text holds, within its bounds."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 20 or not low <= int(text) <= high:
        raise ValueError(f"{name}={text[:40]!r} is no whole number between {low} and {high}")
    return int(text)


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """One way in which the server behaves; a `ValueError` of the function becomes 400 with its message."""

    name: str
    path: str  # answers this path and all below it
    answer: Callable[[Visit], Answer]
    example: str = ""  # a target that shows it; the path itself when empty
    summary: str = ""  # the first line of the function's docstring when empty

    @property
    def shown(self) -> str:
        """A target that shows the behaviour."""
        return self.example or self.path

    @property
    def sentence(self) -> str:
        """What it does, in one line."""
        return self.summary or (self.answer.__doc__ or "").strip().splitlines()[0]
