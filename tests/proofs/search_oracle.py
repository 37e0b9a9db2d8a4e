"""Another search, as plain as can be: every page is looked at for every query. Knows nothing of the engine.

Pages are made of few words, so that queries find some and not all. A query is a tuple, kind first; `written` gives
the text that a person would type for it.
"""

import datetime
import functools
import random
from typing import NamedTuple

from hypothesis import strategies as st

from opilio.search.analysis.analyzer import Analyzer
from opilio.search.document import SearchDocument

WORDS = (
    "river", "rivers", "harbour", "harbours", "library", "libraries", "archive", "archives", "archived", "running",
    "run", "runs", "ship", "ships", "shipping", "map", "maps", "mapping", "old", "older", "oldest", "light",
    "lights", "winter", "winters", "water", "waters", "stone", "stones", "bridge", "bridges", "market", "the",
    "and", "of", "in", "haus", "häuser", "straße", "brücke", "café", "cafe", "naïve", "2024", "x86", "don't",
)  # fmt: skip
HOSTS = ("www.example.org", "docs.example.org", "example.net", "a.b.example.net", "news.co.uk", "shop.news.co.uk")
LANGUAGES = ("en", "en", "en", "de", "")
TYPES = ("text/html", "application/pdf", "image/png", "text/plain")
TARGETS = ("", "7", "8")
AUTHORS = ("Ann", "Bob Stone", "Émile")
FIRST, LAST = 1_577_836_800, 1_735_689_599  # 2020 to 2024
DOMAINS = {
    "www.example.org": {"www.example.org", "example.org"},
    "docs.example.org": {"docs.example.org", "example.org"},
    "example.net": {"example.net"},
    "a.b.example.net": {"a.b.example.net", "b.example.net", "example.net"},
    "news.co.uk": {"news.co.uk"},
    "shop.news.co.uk": {"shop.news.co.uk", "news.co.uk"},
}


def documents(count, chance=None):
    """So many pages; always the same for the same random numbers."""
    chance = chance or random.Random(7)
    return [_document(number, chance) for number in range(count)]


def _document(number, chance):
    def text(least, most):
        return " ".join(chance.choice(WORDS) for _ in range(chance.randint(least, most)))

    body, aside = text(0, 30), text(0, 4)
    return SearchDocument(
        url=f"https://{chance.choice(HOSTS)}/{chance.choice(('map', 'old/stone', 'light'))}/page{number:05d}",
        title=text(0, 4).title(), headings=(text(0, 3), text(0, 2)), description=text(0, 3), anchors=(text(0, 2),),
        text=f"{body}. {aside}", boilerplate_from=len(body) + 1, language=chance.choice(LANGUAGES),
        type=chance.choice(TYPES), captured=float(chance.randint(FIRST, LAST)), target=chance.choice(TARGETS),
        metas=(("author", chance.choice(AUTHORS)), ("keywords", "tides, ferries")),
    )  # fmt: skip


class _Page(NamedTuple):
    number: int
    document: SearchDocument
    fields: dict
    words: set


class Oracle:
    """Answers queries by looking at every page."""

    def __init__(self, found, analyzer=None):
        self._analyzer = analyzer or Analyzer()
        self.pages = [self._page(number, document) for number, document in enumerate(found)]
        self._kept = {}
        self.all = frozenset(range(len(self.pages)))
        self.lexicon = set().union(*(page.words for page in self.pages))
        self.languages = {page.document.language for page in self.pages}
        self._asked = self.languages

    def _page(self, number, document):
        texts = {
            "title": document.title, "headings": "\n".join(document.headings), "about": document.description,
            "anchors": "\n".join(document.anchors), "body": document.main_text, "aside": document.aside_text,
            "url": document.url,
        }  # fmt: skip
        words = {name: self._analyzer.words(text) for name, text in texts.items()}
        terms = {name: _placed(self._analyzer.terms(each, document.language)) for name, each in words.items()}
        return _Page(number, document, terms, {word for each in words.values() for word in each})

    def pages_of(self, query):
        """The page ids that a query finds; a language that it demands as a whole decides the stems, too."""
        while query[0] == "not" and query[1][0] == "not":
            query = query[1][1]
        self._asked = _demanded(query) or self.languages
        return self._found(query) or frozenset()

    def _found(self, query):
        """None when nothing of the query is left: it holds stop words only."""
        return getattr(self, f"_{query[0]}")(*query[1:])

    def _word(self, word, field=""):
        return self._phrase((word,), 0, field)

    def _phrase(self, words, slop, field=""):
        return self._any_form([word for each in words for word in self._analyzer.words(each)], slop, field)

    def _any_form(self, words, slop, field):
        key = (tuple(words), slop, field, frozenset(self._asked))
        if key not in self._kept:
            self._kept[key] = self._looked_for(words, slop, field)
        return self._kept[key]

    def _looked_for(self, words, slop, field):
        forms = {tuple(self._analyzer.terms(words, language)) for language in self._asked}
        forms = {form for form in forms if any(form)}
        if not forms:
            return None
        return frozenset(
            page.number
            for page in self.pages
            for name, terms in page.fields.items()
            if field in ("", name) and any(_holds(terms, form, slop) for form in forms)
        )

    def _fuzzy(self, word, distance):
        word = self._analyzer.words(word)[0]
        near = [each for each in self.lexicon if abs(len(word) - len(each)) <= 2 and edits(word, each) <= distance]
        return self._of_words({word, *near})

    def _wildcard(self, beginning, end):
        fits = [each for each in self.lexicon if each.startswith(beginning) and each.endswith(end)]
        return self._of_words(each for each in fits if len(each) >= len(beginning) + len(end)) or frozenset()

    def _of_words(self, words):
        found = [pages for word in words if (pages := self._any_form([word], 0, "")) is not None]
        return frozenset().union(*found) if found else None

    def _site(self, value):
        return self._those(lambda page: value in DOMAINS[page.url.split("/")[2]])

    def _host(self, value):
        return self._those(lambda page: page.url.split("/")[2] == value)

    def _type(self, value):
        kinds = {"html": "text/html", "pdf": "application/pdf", "image": "image/png", "png": "image/png"}
        return self._those(lambda page: page.type == kinds.get(value, value))

    def _lang(self, value):
        return self._those(lambda page: (page.language or "und") == value)

    def _target(self, value):
        return self._those(lambda page: page.target == value)

    def _meta(self, name, value):
        return self._those(
            lambda page: any(
                key == name and value.lower() in (content.lower(), *map(str.strip, content.lower().split(",")))
                for key, content in page.metas
            )
        )

    def _since(self, *date):
        return self._those(lambda page: _day(page.captured)[: len(date)] >= date)

    def _until(self, *date):
        return self._those(lambda page: _day(page.captured)[: len(date)] <= date)

    def _those(self, chosen):
        return frozenset(page.number for page in self.pages if chosen(page.document))

    def _both(self, *parts):
        found = [pages for part in parts if (pages := self._found(part)) is not None]
        return frozenset.intersection(*found) if found else None

    def _either(self, *parts):
        found = [pages for part in parts if (pages := self._found(part)) is not None]
        return frozenset.union(*found) if found else None

    def _not(self, part):
        found = self._found(part)
        return None if found is None else self.all - found

    def _beside(self, *parts):
        """Words side by side with signs: what is demanded holds; of the rest one is enough, if nothing is demanded."""
        demanded = [(sign, self._found(part)) for sign, part in parts if sign or part[0] in RESTRICTING]
        free = [found for sign, part in parts if not sign and part[0] not in RESTRICTING
                and (found := self._found(part)) is not None]  # fmt: skip
        held = [self.all - found if sign == "-" else found for sign, found in demanded if found is not None]
        if free and not any(sign == "+" and part[0] not in RESTRICTING for sign, part in parts):
            held.append(frozenset.union(*free))
        if not held:
            return frozenset.union(*free) if free else None
        return frozenset.intersection(*held)


RESTRICTING = ("site", "host", "type", "lang", "target", "meta", "since", "until")


def _demanded(query):
    """The languages that the query as a whole is restricted to."""
    parts = [part for sign, part in query[1:] if not sign] if query[0] == "beside" else list(_together(query))
    return {"" if part[1] == "und" else part[1] for part in parts if part[0] == "lang"}


def _together(query):
    """The parts of a query that all must hold, also those in brackets."""
    if query[0] != "both":
        yield query
        return
    for part in query[1:]:
        yield from _together(part)


def _placed(terms):
    """Where each term stands."""
    found = {}
    for place, term in enumerate(terms):
        found.setdefault(term, []).append(place)
    return found


def _day(seconds):
    found = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return found.year, found.month, found.day


def _holds(terms, form, slop):
    """Whether the terms stand in a text at their distances, stop words being gaps."""
    wanted = [(place, term) for place, term in enumerate(form) if term]
    if not all(term in terms for _, term in wanted):
        return False
    places = [[at - place for at in terms[term]] for place, term in wanted]
    if len(places) == 1 or not slop:
        return bool(set(places[0]).intersection(*places[1:]))
    assert len(places) == 2, "with more words the engine's own measure of moves counts"
    return any(abs(left - right) <= slop for left in places[0] for right in places[1])


@functools.cache
def edits(one, other):
    """In how many letters two words differ, exchanged neighbours counting one."""
    table = {(-1, -1): 0}
    for row in range(-1, len(one)):
        for column in range(-1, len(other)):
            if row < 0 or column < 0:
                table[row, column] = row + column + 2 if (row, column) != (-1, -1) else 0
                continue
            cost = one[row] != other[column]
            steps = [table[row - 1, column] + 1, table[row, column - 1] + 1, table[row - 1, column - 1] + cost]
            if row and column and one[row] == other[column - 1] and one[row - 1] == other[column]:
                steps.append(table[row - 2, column - 2] + 1)
            table[row, column] = min(steps)
    return table[len(one) - 1, len(other) - 1]


def written(query):
    """What a person types for a query."""
    kind, *rest = query
    return _WRITTEN.get(kind, lambda value: f"{kind}:{value}")(*rest)


def _date(kind):
    return lambda *parts: f"{kind}:{'-'.join(f'{part:02d}' for part in parts)}"


def _joined(operator):
    return lambda *parts: "(" + operator.join(map(written, parts)) + ")"


_WRITTEN = {
    "word": lambda word, field="": f"{field}:{word}" if field else word,
    "phrase": lambda words, slop: f'"{" ".join(words)}"' + (f"~{slop}" if slop else ""),
    "fuzzy": lambda word, distance: f"{word}~{distance}",
    "wildcard": lambda beginning, end: f"{beginning}*{end}",
    "meta": lambda name, value: f'meta:{name}="{value}"',
    "since": _date("since"),
    "until": _date("until"),
    "both": _joined(" AND "),
    "either": _joined(" OR "),
    "not": lambda part: f"NOT {written(part)}",
    "beside": lambda *parts: "(" + " ".join(sign + written(part) for sign, part in parts) + ")",
}


_WORD = st.sampled_from(WORDS)
_ONE = st.tuples(st.just("word"), _WORD)
_MISSPELT = st.sampled_from(("rivre", "libary", "watre", "stnoe"))
_BEGINNING = st.sampled_from(("ri", "ar", "s", "ma", "l", "häu"))
_SITE = st.sampled_from(("example.org", "docs.example.org", "b.example.net", "co.uk", "news.co.uk"))
_SCORING = st.one_of(
    _ONE,
    st.tuples(st.just("phrase"), st.lists(_WORD, min_size=1, max_size=4).map(tuple), st.just(0)),
    st.tuples(st.just("phrase"), st.tuples(_WORD, _WORD), st.integers(0, 5)),
    st.tuples(st.just("fuzzy"), st.one_of(_WORD, _MISSPELT), st.integers(1, 2)),
    st.tuples(st.just("wildcard"), _BEGINNING, st.sampled_from(("", "s", "ing"))),
)  # fmt: skip
FIELDS = st.one_of(
    st.tuples(st.just("site"), _SITE),
    st.tuples(st.just("host"), st.sampled_from((*HOSTS, "example.org"))),
    st.tuples(st.just("type"), st.sampled_from(("html", "pdf", "image", "png", "text/plain", "nonsense"))),
    st.tuples(st.just("lang"), st.sampled_from(("en", "de", "und", "fr"))),
    st.tuples(st.just("target"), st.sampled_from(("7", "8", "9"))),
    st.tuples(st.just("meta"), st.just("author"), st.sampled_from((*AUTHORS, "nobody"))),
    st.tuples(st.just("meta"), st.just("keywords"), st.sampled_from(("ferries", "tides, ferries", "tide"))),
)  # fmt: skip
_YEAR = st.integers(2019, 2025)
DATES = st.builds(
    lambda kind, parts: (kind, *parts),
    st.sampled_from(("since", "until")),
    st.one_of(
        st.tuples(_YEAR), st.tuples(_YEAR, st.integers(1, 12)), st.tuples(_YEAR, st.integers(1, 12), st.integers(1, 28))
    ),
)
_LEAF = st.one_of(_SCORING, _SCORING, FIELDS, DATES)


def _deeper(parts):
    several = st.lists(parts, min_size=2, max_size=3)
    signed = st.tuples(st.sampled_from(("", "", "+", "-")), st.one_of(_SCORING, FIELDS, DATES))
    return st.one_of(
        several.map(lambda each: ("both", *each)),
        several.map(lambda each: ("either", *each)),
        parts.map(lambda each: ("not", each)),
        st.lists(signed, min_size=2, max_size=4).map(lambda each: ("beside", *each)),
    )


#: One strategy per kind of query, and all of them mixed.
QUERIES = {
    "words": _ONE,
    "phrases": st.tuples(st.just("phrase"), st.lists(_WORD, min_size=2, max_size=4).map(tuple), st.just(0)),
    "moving phrases": st.tuples(st.just("phrase"), st.tuples(_WORD, _WORD), st.integers(1, 5)),
    "similar words": st.tuples(st.just("fuzzy"), _WORD, st.integers(1, 2)),
    "fields": st.one_of(FIELDS, st.tuples(st.just("word"), _WORD, st.sampled_from(("title", "url")))),
    "dates": DATES,
    "mixed": st.recursive(_LEAF, _deeper, max_leaves=8),
}
