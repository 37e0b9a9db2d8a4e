"""A request and an answer of replay, as plain values; the ASGI shell turns the one into the other."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

Header = tuple[str, str]
_COOKIE = re.compile(r"\s*([^=;\s]+)=\"?([^;\"]*)\"?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What a browser asks."""

    method: str
    scheme: str  # as people's browsers see it
    host: str  # lower case, with its port where it has one
    path: str  # escapes as sent
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""

    @property
    def target(self) -> str:
        """Path and query."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def name(self) -> str:
        """The host without its port."""
        return self.host.rpartition("]")[2].partition(":")[0] if not self.host.startswith("[") else self.host

    @property
    def origin(self) -> str:
        """Scheme and host, as in the Origin header."""
        return f"{self.scheme}://{self.host}"

    @property
    def destination(self) -> str:
        """What the answer is for: document, iframe, image …; empty when the browser does not tell."""
        return self.headers.get("sec-fetch-dest", "")

    @property
    def fills_window(self) -> bool:
        """Whether somebody goes to the page itself, not a page to its parts; browsers that do not tell get it too."""
        return self.destination in ("document", "")

    def header(self, name: str) -> str:
        """The value of a header; empty without it."""
        return self.headers.get(name, "")

    def cookies(self, name: str) -> list[str]:
        """All values of a cookie: others may have planted one of the same name."""
        return [value for key, value in _COOKIE.findall(self.header("cookie")) if key == name]

    def arguments(self) -> dict[str, str]:
        """The query's parameters, the last of each name."""
        return dict(parse_qsl(self.query, keep_blank_values=True, max_num_fields=50))

    def form(self) -> dict[str, str]:
        """The fields of a form that was sent."""
        text = self.body.decode("utf-8", "replace")
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=50))


def _nothing() -> None:
    """There is nothing to let go of."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Response:
    """What is answered."""

    status: int
    headers: tuple[Header, ...] = ()
    body: bytes | Iterator[bytes] = b""
    close: Callable[[], None] = _nothing  # called once the body was sent, or nobody wants it

    def with_headers(self, *more: Header) -> "Response":
        """The same with further headers."""
        return Response(status=self.status, headers=(*self.headers, *more), body=self.body, close=self.close)


def redirect(place: str, *, status: int = 302, headers: tuple[Header, ...] = ()) -> Response:
    """An answer that leads elsewhere."""
    return Response(status=status, headers=(("location", place), ("cache-control", "no-store"), *headers))


def plain(status: int, text: str, *headers: Header) -> Response:
    """A sentence, for what is no page."""
    return Response(
        status=status,
        headers=(("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store"), *headers),
        body=f"{text}\n".encode(),
    )
