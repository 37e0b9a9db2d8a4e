"""A worker's memory of URLs that the store knows, so that most links of a page never reach the store.

Exact: what it calls known is known, at a label that covers the new one. It forgets what was not asked for longest.
What the store knew of a host when the worker took it up is kept beside that, eight bytes a URL: a store never forgets.
"""

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from opilio.crawl.frontier.labels import Label, covers
from opilio.crawl.frontier.values import Found


class SeenCache:
    """Known URLs with the best label this worker saw recorded; two generations, the older one is dropped when full.

    Learn only what a commit recorded: a fenced batch taught the store nothing.
    """

    def __init__(self, admission: Sequence[int], *, capacity: int = 500_000, recalled: int = 0) -> None:
        self._admission = admission
        self._room = recalled  # URLs of hosts that may still be recalled
        self._recalled: dict[str, list[tuple[Label, array[int]]]] = {}  # host → hashes in order, by label
        self._half = max(1, capacity // 2)
        self._young: dict[int, Label] = {}
        self._old: dict[int, Label] = {}
        self._hosts: dict[str, int] = {}  # numbers of our own: a key is exact, and small

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def known(self, found: Found) -> bool:
        """Whether the store has nothing to gain from this URL."""
        host, hash64, _, wanted, _, _ = found
        key = self._key(host, hash64)
        label = self._young.get(key)
        if label is None:
            label = self._old.get(key)
            if label is not None:
                self._keep(key, label)
        if label is not None and (label == wanted or covers(label, wanted, self._admission)):
            return True
        return host in self._recalled and self._was_known(host, hash64, wanted)

    def wants(self, host: str, more_than: int = 0) -> bool:
        """Whether there is room for more than so many known URLs of a host, and it was not told of them yet."""
        return self._room > more_than and host not in self._recalled

    def recall(self, host: str, known: Mapping[Label, "array[int]"]) -> None:
        """Remember what the store told of a host: the hashes of its URLs, in order, by label."""
        self._recalled[host] = list(known.items())
        self._room -= sum(map(len, known.values()))

    def _was_known(self, host: str, hash64: int, wanted: Label) -> bool:
        for label, hashes in self._recalled[host]:
            if label == wanted or covers(label, wanted, self._admission):
                place = bisect_left(hashes, hash64)
                if place < len(hashes) and hashes[place] == hash64:
                    return True
        return False

    def learn(self, found: Found) -> None:
        """Remember a URL that was recorded."""
        host, hash64, _, label, _, _ = found
        key = self._key(host, hash64)
        known = self._young.get(key) or self._old.get(key)
        self._keep(key, label if known is None else min(known, label))

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
