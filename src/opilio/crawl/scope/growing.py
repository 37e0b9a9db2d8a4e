"""Recognises paths that grow without end: by session identifiers, or by orders and subsets of their parameters.

What counts is what was asked of a host. So the counts belong to the worker that owns the host, whoever found the URLs,
and can be made again from the pages that were recorded.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from opilio.crawl.plan import Traps

#: The rule under which denials are counted.
RULE = "trap growing"

_SESSION = re.compile(
    r"(?i)(;jsessionid=|[?&;](?:phpsessid|jsessionid|aspsessionid\w*|sid|sess(?:ion)?_?id|cfid|cftoken|zenid|s)=)([^&;/?]+)"
)
_RANDOM = re.compile(r"[0-9A-Za-z_-]{8,}")
_SESSIONS = 20  # session identifiers on one path before it is a trap
_MOST_COUNTED = 50_000  # paths per host; further ones are not counted


class _Mark(NamedTuple):
    """One way in which a URL makes its path grow; hashes, since a host may have many."""

    path: int
    form: int
    most: int  # forms of the path
    reason: str


class Growing:
    """The forms in which the paths of one host were asked for."""

    def __init__(self, traps: Traps) -> None:
        self._traps = traps
        self._forms: set[int] = set()
        self._sizes: dict[int, int] = {}  # path → number of its forms

    def refusal(self, url: str) -> str:
        """Why the URL is a trap; empty if it is none. Once refused, a URL always is."""
        return next((mark.reason for mark in self._marks(url) if self._full(mark)), "")

    def admit(self, url: str) -> str:
        """Count the URL unless it is a trap; why it is one, or nothing. Counting twice changes nothing."""
        marks = list(self._marks(url))
        for mark in marks:
            if self._full(mark):
                return mark.reason
        for mark in marks:
            if mark.form not in self._forms and (mark.path in self._sizes or len(self._sizes) < _MOST_COUNTED):
                self._forms.add(mark.form)
                self._sizes[mark.path] = self._sizes.get(mark.path, 0) + 1
        return ""

    def _full(self, mark: _Mark) -> bool:
        return self._sizes.get(mark.path, 0) >= mark.most and mark.form not in self._forms

    def _marks(self, url: str) -> Iterator[_Mark]:
        if "=" in url and (session := _SESSION.search(url)) and _RANDOM.fullmatch(session[2]):
            path = f"{url[: session.start(2)]} {url[session.end(2) :]}"
            reason = f"its path came with {_SESSIONS} different session identifiers already"
            yield _Mark(hash(path), hash((path, session[2])), _SESSIONS, reason)
        if "&" in url:
            path, _, query = url.partition("?")
            if "&" in query:
                names = tuple(pair.partition("=")[0] for pair in query.split("&"))
                most = self._traps.max_query_forms
                reason = f"its path came with {most} orders or subsets of its parameters already"
                yield _Mark(hash((path, "?")), hash((path, names)), most, reason)
