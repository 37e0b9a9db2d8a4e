"""Which pages of a generation a reader may know of, also those that only the views know."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from opilio.kernel.access import UNOWNED, Reader, Rules, decide
from opilio.kernel.errors import BadUrl
from opilio.kernel.hosts import host_key
from opilio.search.access_filter import AccessFilter
from opilio.search.register import Register


class Sight:
    """What one reader sees of one generation now."""

    def __init__(self, access: AccessFilter, register: Register, rules: Rules, reader: Reader, now: datetime) -> None:
        self._access = access
        self._register = register
        self._rules = rules
        self._reader = reader
        self._now = now

    @property
    def whole(self) -> bool:
        """Whether nothing is hidden, so that nothing needs to be counted anew."""
        access = self._access
        named = access.only or access.hosts or access.pages or access.surts
        return not named and access.agencies is None and access.classes is None

    def page(self, number: int, url: str) -> bool:
        """Whether the reader may know of a page."""
        if self.whole:
            return True
        entry = self._register.numbered(number)
        if entry is None:
            return self.capture(url, self._now.timestamp())
        listed = number in self._access.pages or _host(url) in self._access.hosts
        return listed == self._access.only

    def capture(self, url: str, at: float, *, agency: str = "", target: str = "", harvest: str = "") -> bool:
        """Whether the reader may know of a capture."""
        if self.whole:
            return True
        captured = datetime.fromtimestamp(at, UTC)
        return decide(
            self._rules, url=url, captured=captured, agency=agency or UNOWNED, reader=self._reader, now=self._now,
            target=target, harvest=harvest,
        ).allowed  # fmt: skip

    def among(self, numbers: Sequence[int], urls: Callable[[Sequence[int]], list[str]]) -> list[int]:
        """Those of some pages that the reader may know of."""
        if self.whole:
            return list(numbers)
        return [number for number, url in zip(numbers, urls(numbers), strict=True) if self.page(number, url)]


def _host(url: str) -> str:
    try:
        return host_key(url).lower()
    except BadUrl:
        return ""
