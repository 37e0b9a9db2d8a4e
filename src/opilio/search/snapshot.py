"""One state of an index: its pages never change while it is asked, and what is worked out once is kept with it."""

import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

import tantivy
from tantivy import Occur, Query

from opilio.search.access_decisions import PageFacts
from opilio.search.access_filter import AccessFilter, filtered
from opilio.search.index.schema import UNKNOWN_LANGUAGE
from opilio.search.index.stored import StoredPage, unpack
from opilio.search.query.lexicon import KnownWords, Vocabulary

_BATCH: Final = 10_000
_MOST_LANGUAGES: Final = 12  # the most frequent, whose stems a word is looked for by


class Snapshot:
    """A searcher with its schema, languages and words."""

    def __init__(self, schema: tantivy.Schema, searcher: tantivy.Searcher) -> None:
        self.schema = schema
        self.searcher = searcher
        self._lock = threading.Lock()

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of its pages, the most frequent first; empty for unknown."""
        found = self.searcher.terms_with_prefix("lang", "", None, None)
        ordered = sorted(found, key=lambda each: (-each[1], each[0]))[:_MOST_LANGUAGES]
        return tuple("" if code == UNKNOWN_LANGUAGE else code for code, _ in ordered) or ("",)

    @cached_property
    def newest(self) -> float:
        """The date of the newest page, from which freshness is counted."""
        found = self.searcher.aggregate(Query.all_query(), {"newest": {"max": {"field": "date"}}})
        return float(found["newest"]["value"] or 0.0)

    @property
    def vocabulary(self) -> Vocabulary:
        """Every word of its pages, whoever may see them."""
        with self._lock:
            return self._vocabulary

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self.searcher.terms_with_prefix("words", "", None, None))

    def known(self, access: AccessFilter) -> KnownWords:
        """The words that a reader may know: those of pages that the reader may find."""
        return KnownWords(lambda: self.vocabulary, lambda word: self.pages_with(word, access, most=1) > 0)

    def pages_with(self, word: str, access: AccessFilter, *, most: int | None = None) -> int:
        """How many pages that the reader may find hold a word as it is written; counts no further than `most`."""
        query = filtered(self.schema, Query.term_query(self.schema, "words", word, "basic"), access)
        if most is not None:
            return len(self.searcher.search(query, most, count=False).hits)
        return count(self.searcher, query)

    def count(self, query: Query) -> int:
        """How many pages a query finds."""
        return count(self.searcher, query)

    def sizes(self, query: Query, groups: Sequence[int]) -> dict[int, int]:
        """How many pages that a query finds belong to each of some groups."""
        if not groups:
            return {}
        within = Query.const_score_query(Query.term_set_query(self.schema, "group", sorted(set(groups))), 0.0)
        both = Query.boolean_query([(Occur.Must, within), (Occur.Must, query)])
        found = self.searcher.aggregate(both, {"groups": {"terms": {"field": "group", "size": len(groups)}}})
        return {int(bucket["key"]): int(bucket["doc_count"]) for bucket in found["groups"]["buckets"]}

    def stored(self, address: tantivy.DocAddress) -> StoredPage:
        """What is kept of a page."""
        return unpack(self.searcher.doc(address)["stored"][0])

    def first(self, query: Query, most: int) -> Iterator[tuple[int, StoredPage]]:
        """The first pages that a query finds, with their ids."""
        addresses = [address for _, address in self.searcher.search(query, most, count=False).hits]
        pages = self.searcher.fast_field_values("page", addresses)
        return ((int(page or 0), self.stored(address)) for page, address in zip(pages, addresses, strict=True))

    def pages(self, query: Query) -> list[int]:
        """The ids of all pages that a query finds."""
        found = self.searcher.search(query, max(1, self.searcher.num_docs), count=False).hits
        return [int(page or 0) for page in self.searcher.fast_field_values("page", [each[1] for each in found])]

    def facts(self) -> Iterator[PageFacts]:
        """What rules of access are held against, for every page."""
        for offset in range(0, self.searcher.num_docs, _BATCH):
            hits = self.searcher.search(Query.all_query(), _BATCH, count=False, offset=offset).hits
            addresses = [address for _, address in hits]
            for page, address in zip(self.searcher.fast_field_values("page", addresses), addresses, strict=True):
                kept = self.stored(address)
                yield PageFacts(int(page or 0), kept.url, kept.captured, kept.agency, kept.target, kept.harvest)

    def address(self, page: int, access: AccessFilter) -> tantivy.DocAddress | None:
        """Where a page lies; None when it is not there or must not be found."""
        query = filtered(self.schema, Query.term_query(self.schema, "page", page, "basic"), access)
        hits = self.searcher.search(query, 1, count=False).hits
        return hits[0][1] if hits else None


def count(searcher: tantivy.Searcher, query: Query) -> int:
    """How many pages a query finds."""
    found: int = searcher.search(query, 1).count  # type: ignore[attr-defined] # missing in the library's stubs
    return found
