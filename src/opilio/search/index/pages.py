"""Which page ids an index holds, one byte each: ids are dense from 0. The few beyond any dense range lie in a set."""

from typing import Final

import tantivy

_DENSE: Final = 2**28
_BATCH: Final = 100_000


class Pages:
    """A set of page ids."""

    def __init__(self) -> None:
        self._dense = bytearray()
        self._far: set[int] = set()
        self.count = 0

    @classmethod
    def of(cls, searcher: tantivy.Searcher) -> "Pages":
        """The ids of all pages of an index."""
        found = cls()
        for offset in range(0, searcher.num_docs, _BATCH):
            hits = searcher.search(tantivy.Query.all_query(), _BATCH, count=False, offset=offset).hits
            for page in searcher.fast_field_values("page", [address for _, address in hits]):
                found.add(int(page or 0))
        return found

    def __contains__(self, page: int) -> bool:
        return page < len(self._dense) and bool(self._dense[page]) if page < _DENSE else page in self._far

    def add(self, page: int) -> None:
        """Put an id in."""
        if page in self:
            return
        self.count += 1
        if page >= _DENSE:
            self._far.add(page)
            return
        if page >= len(self._dense):
            self._dense.extend(bytes(max(page + 1, 2 * len(self._dense)) - len(self._dense)))
        self._dense[page] = 1

    def remove(self, page: int) -> None:
        """Take an id out that is in."""
        self.count -= 1
        if page >= _DENSE:
            self._far.discard(page)
        else:
            self._dense[page] = 0
