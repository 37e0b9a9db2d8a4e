"""A worker's memory of URLs that the store knows, so that most links of a page never reach the store.

Exact: what it calls known is known, at a label that covers the new one. It forgets what was not asked for longest.
"""

from collections.abc import Sequence

from opilio.crawl.frontier.labels import Label, covers
from opilio.crawl.frontier.values import Found


class SeenCache:
    """Known URLs with the best label this worker saw recorded; two generations, the older one is dropped when full.

    Learn only what a commit recorded: a fenced batch taught the store nothing.
    """

    def __init__(self, admission: Sequence[int], *, capacity: int = 500_000) -> None:
        self._admission = admission
        self._half = max(1, capacity // 2)
        self._young: dict[int, Label] = {}
        self._old: dict[int, Label] = {}
        self._hosts: dict[str, int] = {}  # numbers of our own: a key is exact, and small

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def known(self, found: Found) -> bool:
        """Whether the store has nothing to gain from this URL."""
        key = self._key(found.host, found.hash64)
        label = self._young.get(key)
        if label is None:
            label = self._old.get(key)
            if label is None:
                return False
            self._keep(key, label)
        return label == found.label or covers(label, found.label, self._admission)

    def learn(self, found: Found) -> None:
        """Remember a URL that was recorded."""
        key = self._key(found.host, found.hash64)
        known = self._young.get(key) or self._old.get(key)
        self._keep(key, found.label if known is None else min(known, found.label))

    def _keep(self, key: int, label: Label) -> None:
        if len(self._young) >= self._half and key not in self._young:
            self._old, self._young = self._young, {}
        self._young[key] = label

    def _key(self, host: str, hash64: int) -> int:
        number = self._hosts.get(host)
        if number is None:
            if len(self._hosts) >= 2 * self._half:  # more hosts than URLs to remember: begin afresh
                self._young, self._old, self._hosts = {}, {}, {}
            number = self._hosts[host] = len(self._hosts)
        return (number << 64) + hash64
