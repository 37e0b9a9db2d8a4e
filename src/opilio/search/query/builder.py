"""From the tree of a query to what the engine is asked, with the parts of which a score is the sum.

One term query per distinct term, boosted by how often the term was typed (a parser of the engine's own loses that).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import tantivy
from tantivy import Occur, Query

from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.languages import language_code
from opilio.search.index.schema import UNKNOWN_LANGUAGE
from opilio.search.query import nodes
from opilio.search.query.filters import filter_query
from opilio.search.query.lexicon import Lexicon
from opilio.search.query.profile import Profile

MOST_EXPANDED: Final = 64  # words that one form or one fuzzy word may stand for
_NAMES: Final = {"title": "title", "url": "urlwords"}  # field of a query, field of the index
_Clause = tuple[Occur, Query]


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A part of the score: a term or phrase in a field."""

    field: str
    text: str
    weight: float
    query: Query  # without the weight


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What the engine is asked."""

    query: Query
    parts: tuple[Part, ...] = ()
    terms: frozenset[str] = frozenset()  # to be highlighted
    notes: tuple[str, ...] = ()
    scored: bool = False  # False: nothing to rank by, only filters
    empty: bool = False  # nothing was asked


@dataclass(slots=True)
class Builder:
    """Builds the queries of one request."""

    schema: tantivy.Schema
    analyzer: Analyzer
    languages: Sequence[str]  # of the pages of the index
    lexicon: Lexicon
    profile: Profile
    every: bool = False  # whether words side by side must all be found
    _parts: list[Part] = field(default_factory=list)
    _terms: set[str] = field(default_factory=set)
    _notes: dict[str, None] = field(default_factory=dict)
    _negated: int = 0

    def asked(self, node: nodes.Node) -> Asked:
        """What the engine is asked for a tree."""
        self.languages = _languages(node) or self.languages
        query = self._query(node)
        return Asked(
            query=query if query is not None else Query.empty_query(),
            parts=tuple(self._parts), terms=frozenset(self._terms), notes=tuple(self._notes),
            scored=bool(self._parts), empty=query is None,
        )  # fmt: skip

    def _query(self, node: nodes.Node) -> Query | None:
        """The query of a node; None when analysis leaves nothing of it."""
        match node:
            case nodes.Word() | nodes.Fuzzy() | nodes.Wildcard() | nodes.Phrase():
                return _any(self._text(node, 1.0))
            case nodes.Filter():
                return Query.const_score_query(filter_query(self.schema, node), 0.0)
            case nodes.Everything():
                return Query.const_score_query(Query.all_query(), 0.0)
            case nodes.Nothing():
                return None
            case _:
                return self._compound(node)

    def _compound(self, node: nodes.Not | nodes.Required | nodes.Both | nodes.Either | nodes.Sequence) -> Query | None:
        match node:
            case nodes.Not():
                return self._both([node])
            case nodes.Required():
                return self._query(node.part)
            case nodes.Both():
                return self._both(node.parts)
            case nodes.Either():
                return _any([query for part in node.parts if (query := self._query(part)) is not None])
            case nodes.Sequence():
                return self._sequence(node.parts)

    def _both(self, parts: Iterable[nodes.Node]) -> Query | None:
        clauses = [clause for part in parts if (clause := self._clause(part)) is not None]
        return _all(clauses)

    def _clause(self, part: nodes.Node) -> _Clause | None:
        """A part that must hold."""
        if not isinstance(part, nodes.Not):
            query = self._query(part)
            return None if query is None else (Occur.Must, query)
        self._negated += 1
        query = self._query(part.part)
        self._negated -= 1
        return None if query is None else (Occur.MustNot, query)

    def _sequence(self, parts: Sequence[nodes.Node]) -> Query | None:
        held, counted = [], Counter[nodes.Node]()
        free = not any(isinstance(part, nodes.Required) for part in parts)
        for part in parts:
            if self.every or isinstance(part, nodes.Required | nodes.Not) or nodes.restricts(part):
                held.append(part)
            else:
                counted[part] += 1
        clauses = [clause for part in held if (clause := self._clause(part)) is not None]
        optional = self._optional(counted)
        if not clauses:
            return _any(optional)
        if optional and free:
            return _all([*clauses, (Occur.Must, _some(optional))])
        return _all([*clauses, *((Occur.Should, query) for query in optional)])

    def _optional(self, counted: Counter[nodes.Node]) -> list[Query]:
        """The queries of which one must match; words are merged by their terms and lie side by side, not nested."""
        found: list[Query] = []
        words: Counter[str] = Counter()
        for part, count in counted.items():
            if isinstance(part, nodes.Word) and not part.field and len(split := self.analyzer.words(part.text)) == 1:
                words[split[0]] += count
            elif isinstance(part, nodes.Word | nodes.Phrase | nodes.Fuzzy | nodes.Wildcard):
                found += self._text(part, float(count))
            elif (query := self._query(part)) is not None:
                found.append(query)
        by_terms: dict[tuple[str, ...], tuple[str, int]] = {}
        for word, count in words.items():
            terms = self._terms_of(word)
            by_terms[terms] = (word, by_terms.get(terms, ("", 0))[1] + count)
        for word, count in by_terms.values():
            found += self._words([word], 0, "", float(count))
        return found

    def _text(self, node: nodes.Text, weight: float) -> list[Query]:
        match node:
            case nodes.Wildcard():
                return self._expanded(node.pattern, self._matching(node.pattern), node.field, weight)
            case nodes.Fuzzy():
                return self._fuzzy(node, weight)
            case _:
                slop = node.slop if isinstance(node, nodes.Phrase) else 0
                return self._words(self.analyzer.words(node.text), slop, node.field, weight)

    def _fuzzy(self, node: nodes.Fuzzy, weight: float) -> list[Query]:
        words = self.analyzer.words(node.text)
        if len(words) != 1:
            return self._words(words, 0, node.field, weight)
        found = self.lexicon.near(words[0], node.distance, MOST_EXPANDED + 1)
        near = {words[0]: 0} | {word: apart for word, apart in found if apart}
        chosen = [(word, self.profile.fuzzy**apart) for word, apart in near.items()]
        return self._expanded(f"{node.text}~{node.distance}", chosen, node.field, weight)

    def _matching(self, pattern: str) -> list[tuple[str, float]]:
        return [(word, 1.0) for word in self.lexicon.matching(pattern, MOST_EXPANDED + 1)]

    def _expanded(self, typed: str, words: Sequence[tuple[str, float]], field: str, weight: float) -> list[Query]:
        """Pages with at least one of the words; the best of them counts."""
        if not words:
            self._note(f"No word has the form {typed[:60]}.")
            return [Query.empty_query()]
        if len(words) > MOST_EXPANDED:
            self._note(f"{typed[:60]} stands for many words; the {MOST_EXPANDED} most frequent were looked for.")
        found: dict[tuple[str, ...], tuple[str, float]] = {}
        for word, share in words[:MOST_EXPANDED]:
            found.setdefault(self._terms_of(word), (word, share))
        queries = [_any(self._words([word], 0, field, weight * share, said=False)) for word, share in found.values()]
        kept = [query for query in queries if query is not None]
        return [Query.disjunction_max_query(kept)] if kept else []

    def _words(self, words: Sequence[str], slop: int, field: str, weight: float, *, said: bool = True) -> list[Query]:
        """A word or phrase in the fields that count, and its synonyms: queries of which each adds to the score."""
        found = self._in_fields(words, slop, field, weight)
        if not found and words and said:
            self._note(f"“{' '.join(words)[:60]}” is too common to look for; it was left out.")
        for other in self.analyzer.synonyms(" ".join(words)):
            found += self._in_fields(self.analyzer.words(other), slop, field, weight * self.profile.synonym)
        return found

    def _in_fields(self, words: Sequence[str], slop: int, field: str, weight: float) -> list[Query]:
        forms = self._forms(words)
        fields = ((_NAMES[field], 1.0),) if field else self.profile.weights
        found: list[Query] = []
        for name, share in fields:
            queries = [self._part(name, form, slop, weight * share) for form in forms]
            if queries:
                found.append(queries[0] if len(queries) == 1 else Query.disjunction_max_query(queries))
        return found

    def _part(self, name: str, form: tuple[tuple[int, str], ...], slop: int, weight: float) -> Query:
        text = " ".join(term for _, term in form)
        if len(form) == 1:
            query = Query.term_query(self.schema, name, form[0][1])
        else:
            query = Query.phrase_query(self.schema, name, list(form), slop)
        if not self._negated:
            self._parts.append(Part(field=name, text=text, weight=weight, query=query))
            self._terms.update(term for _, term in form)
        return query if weight == 1.0 else Query.boost_query(query, weight)

    def _forms(self, words: Sequence[str]) -> list[tuple[tuple[int, str], ...]]:
        """The distinct terms with their positions that the words have in the languages of the index."""
        found: dict[tuple[tuple[int, str], ...], None] = {}
        for language in self.languages:
            terms = [(at, term) for at, term in enumerate(self.analyzer.terms(words, language)) if term]
            if terms:
                found[tuple((at - terms[0][0], term) for at, term in terms)] = None
        return list(found)

    def _terms_of(self, word: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.analyzer.term(word, language) for language in self.languages))

    def _note(self, sentence: str) -> None:
        self._notes[sentence] = None


def _languages(node: nodes.Node) -> list[str]:
    """The languages that a query as a whole is restricted to."""
    parts = node.parts if isinstance(node, nodes.Sequence | nodes.Both) else (node,)
    named = [part.value for part in parts if isinstance(part, nodes.Filter) and part.name == "lang"]
    return [language_code(value) if value != UNKNOWN_LANGUAGE else "" for value in named]


def _any(queries: list[Query]) -> Query | None:
    return _some(queries) if queries else None


def _some(queries: list[Query]) -> Query:
    return queries[0] if len(queries) == 1 else Query.boolean_query([(Occur.Should, query) for query in queries])


def _all(clauses: list[_Clause]) -> Query | None:
    if not clauses:
        return None
    if all(occur is Occur.MustNot for occur, _ in clauses):
        clauses = [(Occur.Must, Query.const_score_query(Query.all_query(), 0.0)), *clauses]
    return Query.boolean_query(clauses)
