"""Suggestions while somebody types: the last word completed, and pages whose titles hold what was typed."""

from typing import Final

from tantivy import Occur, Query

from opilio.search.access_filter import AccessFilter, filtered
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.answer import Suggested, Suggestions
from opilio.search.snapshot import Snapshot

_MOST_TITLES: Final = 5
_MOST_TYPED: Final = 200  # characters
_COMPLETED: Final = 16  # words that the last one may become in a title


def suggestions(snapshot: Snapshot, analyzer: Analyzer, typed: str, access: AccessFilter, most: int) -> Suggestions:
    """Words and titles by how many pages hold them, among those that the reader may find."""
    text = typed[:_MOST_TYPED]
    words = analyzer.words(text)
    if not words or not text[-1].isalnum():
        return Suggestions()
    last = words[-1]
    before = [_held(snapshot, word) for word in words[:-1]]
    completed = _completed(snapshot, last, before, access, most)
    begun = text[: text.casefold().rfind(last)] if last in text.casefold() else f"{' '.join(words[:-1])} ".lstrip()
    titles = _titles(snapshot, analyzer, words[:-1], [last, *completed], access)
    return Suggestions(queries=tuple(f"{begun}{word}" for word in completed), titles=titles)


def _completed(snapshot: Snapshot, last: str, before: list[Query], access: AccessFilter, most: int) -> list[str]:
    """The words that begin so, by the number of pages that hold them together with the words before."""
    found = []
    for word in snapshot.known(access).matching(_form(last), max(most, 1) * (4 if before else 1)):
        query = Query.term_query(snapshot.schema, "words", word, "basic")
        both = Query.boolean_query([(Occur.Must, each) for each in (query, *before)])
        found.append((-snapshot.count(filtered(snapshot.schema, both, access)), word))
    return [word for count, word in sorted(found)[:most] if count]


def _held(snapshot: Snapshot, word: str) -> Query:
    return Query.term_query(snapshot.schema, "words", word, "basic")


def _form(beginning: str) -> str:
    return "".join(f"\\{letter}" if letter in "*?\\" else letter for letter in beginning) + "*"


def _titles(
    snapshot: Snapshot, analyzer: Analyzer, before: list[str], last: list[str], access: AccessFilter
) -> tuple[Suggested, ...]:
    """Pages whose titles hold the words before and the last one, whole or completed."""
    needed = [_in_title(snapshot, analyzer, [word]) for word in before]
    needed.append(_in_title(snapshot, analyzer, last))
    query = filtered(snapshot.schema, Query.boolean_query([(Occur.Must, each) for each in needed]), access)
    found: dict[str, Suggested] = {}
    for page, stored in snapshot.first(query, 4 * _MOST_TITLES):
        found.setdefault(stored.title, Suggested(page=page, url=stored.url, title=stored.title))
    return tuple(found.values())[:_MOST_TITLES]


def _in_title(snapshot: Snapshot, analyzer: Analyzer, words: list[str]) -> Query:
    terms = {analyzer.term(word, language) for word in words for language in snapshot.languages} - {""}
    if not terms:
        return Query.all_query()
    return Query.boolean_query(
        [(Occur.Should, Query.term_query(snapshot.schema, "title", term)) for term in sorted(terms)]
    )
