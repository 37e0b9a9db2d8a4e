"""A site of any size that looks real: `/large/<pages>/`, or `/large/<pages>-<seed>/` for another one of that size.

Everything follows from the two numbers, so tests and benchmarks know the exact set of pages and links without
fetching: `LargeSite(pages=1000).page_paths()`. Page n links to its eight children in a tree, to its neighbours, to the
navigation and to pages taken at random; so each page can be reached from the front page.
"""

import random
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from tests.servers.answers import Response, page
from tests.servers.behaviour import Behaviour, Visit, whole
from tests.servers.caching import START, validated

MOST = 100_000_000  # pages
FANOUT = 8
PICTURES = 50

SECTIONS = ("news", "fields", "tools", "weather", "markets", "history", "recipes", "people")
_VOCABULARY = """
acre barn barley bell binder blade bread bushel carrier cart chaff clover corn cradle crop dawn dew dusk ear
earth fallow farm fence field flail flax flour fodder frost furrow gate gather gleaner grain granary grass
harrow harvest hay hedge hill honey hook horse kernel lamb lane ledger loaf loft malt market meadow mill
millet mist moon morning mow oats orchard oven ox path pasture plough pond rain rake reap reaper rick ridge
river root row rye sack scythe season seed shade shepherd shock shovel sickle sieve silo soil sower spade
spelt stack stalk stone stook storm straw stubble summer sun swath thresh tiller track twine vale valley wagon
water weather well wheat wheel wind windmill winnow winter yard yeast yield yoke
"""
WORDS = tuple(_VOCABULARY.split())


@dataclass(frozen=True, kw_only=True)
class LargeSite:
    """One generated site."""

    pages: int
    seed: int = 1

    @property
    def base(self) -> str:
        """The path of the front page, without the last slash."""
        return f"/large/{self.pages}" if self.seed == 1 else f"/large/{self.pages}-{self.seed}"

    def slug(self, number: int) -> tuple[str, str]:
        """Section and name of a page other than the front page."""
        mix = zlib.crc32(b"%d:%d" % (self.seed, number))
        first, second = WORDS[mix % len(WORDS)], WORDS[(mix >> 8) % len(WORDS)]
        return SECTIONS[(mix >> 16) % len(SECTIONS)], f"{first}-{second}-{number}"

    def path(self, number: int) -> str:
        """The path of a page."""
        return f"{self.base}/" if number == 0 else f"{self.base}/{'/'.join(self.slug(number))}.html"

    def page_paths(self) -> Iterator[str]:
        """The paths of all pages, each once."""
        return (self.path(number) for number in range(self.pages))

    def asset_paths(self) -> Iterator[str]:
        """The paths of everything that pages embed."""
        yield f"{self.base}/assets/style.css"
        yield f"{self.base}/assets/script.js"
        yield from (f"{self.base}/assets/{number}.png" for number in range(min(self.pages, PICTURES)))

    def children(self, number: int) -> range:
        """The pages below a page in the tree."""
        return range(min(FANOUT * number + 1, self.pages), min(FANOUT * number + FANOUT + 1, self.pages))

    def navigation(self) -> list[int]:
        """The pages that every page links to at its top."""
        return [number % self.pages for number in range(FANOUT + 1)]

    def related(self, number: int) -> list[int]:
        """The pages that the text of a page links to."""
        chance = random.Random(f"{self.seed}/{number}/links")
        return [chance.randrange(self.pages) for _ in range(chance.randint(8, 30))]

    def links(self, number: int) -> set[str]:
        """The paths of all pages of this site that a page links to."""
        around = ((number - 1) % self.pages, (number + 1) % self.pages, max(0, (number - 1) // FANOUT))
        linked = (*self.navigation(), *around, *self.children(number), *self.related(number), number)
        return {self.path(one) for one in linked}

    def markup(self, number: int) -> str:
        """The HTML of a page."""
        chance = random.Random(f"{self.seed}/{number}/text")
        title = self.title(number)
        before, after = (number - 1) % self.pages, (number + 1) % self.pages
        parent = max(0, (number - 1) // FANOUT)
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
            f'<meta name="description" content="{_sentence(chance)}">\n'
            f'<link rel="stylesheet" href="{self.base}/assets/style.css">\n'
            f'<script src="{self.base}/assets/script.js" defer></script>\n</head>\n<body>\n'
            f"<header><nav><ul>{self._list(self.navigation())}</ul></nav></header>\n<main>\n"
            f'<p class="crumbs">{self._anchor(parent)}</p>\n<h1>{title}</h1>\n'
            f'<img src="{self.base}/assets/{number % PICTURES}.png" alt="{title}" width="16" height="16">\n'
            f"{self._text(number, chance)}"
            f'<h2 id="below">Below</h2>\n<ul class="below">{self._list(self.children(number))}</ul>\n'
            f"<p>{self._anchor(before)} {self._anchor(after)}</p>\n</main>\n"
            f'<footer><p><a href="#below">Below</a> <a href="https://www.elsewhere.example/{number % 7}">Elsewhere</a>'
            f"</p></footer>\n</body>\n</html>\n"
        )

    def title(self, number: int) -> str:
        """The title of a page."""
        if number == 0:
            return "The harvest almanac"
        section, name = self.slug(number)
        return f"{name.replace('-', ' ').capitalize()}, {section}"

    def _anchor(self, number: int) -> str:
        return f'<a href="{self.path(number)}">{self.title(number)}</a>'

    def _list(self, numbers: list[int] | range) -> str:
        return "".join(f"<li>{self._anchor(number)}</li>" for number in numbers)

    def _text(self, number: int, chance: random.Random) -> str:
        """Headings and paragraphs in which the related pages are linked, by relative URLs."""
        related = self.related(number)
        up = "" if number == 0 else "../"
        parts = []
        for start in range(0, len(related), 6):
            inside = (_relative(self, one, up) for one in related[start : start + 6])
            parts.append(f"<h2>{_words(chance, 3).capitalize()}</h2>\n<p>{_sentence(chance)} ")
            parts.extend(f"{_words(chance, 12)} {anchor} {_sentence(chance)} " for anchor in inside)
            parts.append("</p>\n")
        return "".join(parts)


def _relative(site: LargeSite, number: int, up: str) -> str:
    target = f"{up}{'/'.join(site.slug(number))}.html" if number else up or "./"
    return f'<a href="{target}">{site.title(number)}</a>'


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(WORDS, k=count))


def _sentence(chance: random.Random) -> str:
    return f"{_words(chance, 14).capitalize()}."


def picture(number: int) -> bytes:
    """A PNG of 16 × 16 pixels in one colour."""
    colour = bytes((number * 37 % 256, number * 91 % 256, 128))
    rows = (b"\0" + colour * 16) * 16
    header = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def site_of(key: str) -> LargeSite:
    """The site that `<pages>` or `<pages>-<seed>` names."""
    pages, _, seed = key.partition("-")
    return LargeSite(pages=whole(pages, name="pages", low=1, high=MOST), seed=whole(seed or "1", name="seed"))


def _found(site: LargeSite, path: str) -> Response | None:
    """The page or embedded file at a path."""
    if path == f"{site.base}/assets/style.css":
        style = f'main {{ max-width: 40rem; background: url("{site.base}/assets/0.png") }}\n'
        return Response(body=style.encode(), type="text/css; charset=utf-8")
    if path == f"{site.base}/assets/script.js":
        return Response(body=b'document.documentElement.dataset.ready = "yes";\n', type="text/javascript")
    image = re.fullmatch(r".*/assets/(\d{1,2})\.png", path)
    if image and path in site.asset_paths():
        return Response(body=picture(int(image[1])), type="image/png")
    named = re.search(r"-(\d{1,9})\.html$", path)
    number = int(named[1]) if named else 0
    if number >= site.pages or site.path(number) != path:
        return None
    return Response(body=site.markup(number).encode())


def large(visit: Visit) -> Response:
    """A generated site of as many pages as the path says, the same every time."""
    site = site_of(visit.segment())
    found = _found(site, visit.request.path)
    if found is None:
        return page("Not found", "<p>The almanac has no such page.</p>", status=404)
    return validated(visit.request, found, modified=START + timedelta(minutes=zlib.crc32(found.body) % 500_000))


BEHAVIOURS = (Behaviour(name="large-site", path="/large", example="/large/1000/", answer=large),)
