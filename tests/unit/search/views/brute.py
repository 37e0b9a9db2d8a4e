"""The views counted by hand, in dictionaries: what the real ones are compared with."""

import re
from collections import Counter, defaultdict

from opilio.search.analysis.analyzer import Analyzer
from opilio.search.views.build import ViewsBuild
from opilio.search.views.packing import Page, PagePacker
from opilio.search.views.reader import Views

STOPS = frozenset({"the", "of", "and", "is"})


def build(path, pages, links=None, *, earlier=None, complete=True, discovered=(), analyzer=None):
    """Views of pages (url → text) and links (url → {url: occurrences})."""
    analyzer = analyzer or Analyzer()
    packer = PagePacker(analyzer)
    with ViewsBuild(path, analyzer, earlier=earlier) as building:
        for url in discovered:
            building.discover(url)
        for url, text in pages.items():
            page = Page(url=url, text=text, language="en", digest=f"d{hash(text)}", last_modified=1_000.0 + len(text))
            if not building.unchanged(url, page.digest, last_modified=page.last_modified):
                building.add(packer(page))
        for parent, children in (links or {}).items():
            building.link(parent, children.items())
        return building.finish(complete=complete)


def split(text):
    """The words of a text of ASCII letters, independently of the analyzer."""
    return re.findall(r"[a-z]+", text.lower())


def counted(pages):
    """page → word → positions, stop words as the empty word."""
    found = {}
    for url, text in pages.items():
        places = defaultdict(list)
        for position, word in enumerate(split(text)):
            places["" if word in STOPS else word].append(position)
        found[url] = dict(places)
    return found


def forward(path):
    """The same as the views tell it."""
    with Views(path) as views:
        return {page.url: _by_name(views, views.words_of(page.id)) for page in views.pages() if page.words}


def inverse(path):
    """word → page → positions as the views tell it."""
    with Views(path) as views:
        ids = [0, *(row.id for row in views.lexicon())]
        found = {}
        for number, name in zip(ids, views.words(ids), strict=True):
            pages = {}
            for rows in views.pages_of(number):
                pages.update(zip(views.urls(rows.items.tolist()), _positions(rows), strict=True))
            if pages:
                found[name] = pages
            assert views.frequency(number) == (len(pages), sum(map(len, pages.values())))
        return found


def links(path):
    """parent → child → occurrences, once by each direction."""
    with Views(path) as views:
        ids = [page.id for page in views.pages()]
        there = {views.urls([page])[0]: _counts(views, rows) for page in ids if len(rows := views.children(page))}
        back = defaultdict(dict)
        for page in ids:
            seen = Counter()
            for rows in views.parents(page):
                for parent, occurrences in _counts(views, rows).items():
                    back[parent][views.urls([page])[0]] = occurrences
                    seen.update(pages=1, links=occurrences)
            assert views.backlinks(page) == (seen["pages"], seen["links"])
        return there, dict(back)


def ids(path):
    """Every id that was given: URLs, also of pages that are gone, and words."""
    with Views(path) as views:
        numbers = range(views.page_count())
        return dict(zip(views.urls(numbers), numbers, strict=True)), {row.word: row.id for row in views.lexicon()}


def _by_name(views, rows):
    return dict(zip(views.words(rows.items.tolist()), _positions(rows), strict=True))


def _counts(views, rows):
    return dict(zip(views.urls(rows.items.tolist()), rows.counts.tolist(), strict=True))


def _positions(rows):
    starts = rows.starts.tolist()
    return [rows.positions[starts[at] : starts[at + 1]].tolist() for at in range(len(rows))]
