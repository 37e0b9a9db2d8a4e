"""What reading a page costs, step by step, beside a plain parse by lexbor with title, links and text.

The pages are those of the benchmark `crawl`; OPILIO_TEST_BENCH_PAGES takes so many of them, spread evenly over all
sites. Of each step the round with the least CPU time counts; the sum of the steps may differ from the whole.
"""

import os
import random
import time
from collections.abc import Callable, Iterable, Iterator

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from benchmarks import machine
from benchmarks.crawl.documents import sites, versions
from benchmarks.nginx import Site
from opilio.crawl.linking import outlinks_of
from opilio.extract.bounds import too_hostile
from opilio.extract.html import HtmlSource, base_of, html_source, read_html
from opilio.extract.html_text import visible_text, with_breaks
from opilio.extract.html_walk import Walk
from opilio.extract.kind import kind_of
from opilio.extract.links import resolve
from opilio.extract.options import DEFAULTS
from opilio.extract.quick import read_quickly
from opilio.extract.reading import Resource, helper_needed, read_here

PAGES = int(os.environ.get("OPILIO_TEST_BENCH_PAGES", "1000"))
ROUNDS = 3
_TYPE = "text/html"
_PARSING = LexborDocumentOptions.WO_EVENTS.value
_PLAIN = "lexbor alone: parse, title, links, text"
_WHOLE = "Opilio, the whole reading"
_PARSED = "the same where a parser reads every page"


def main() -> None:
    """Measure, then print a table in the form of docs/measurements.md."""
    documents = sites()
    pages = list(_pages(documents))
    found = {_PLAIN: _best(_plain, pages), _WHOLE: _best(_whole, pages), _PARSED: _best(_parsed, pages)}
    found |= _steps(pages)
    size = sum(len(body) for _, body in pages) / len(pages)
    print(f"\n{machine.line()}; {', '.join(versions(documents))}\n")
    quick = sum(read_quickly(_source(body).markup, DEFAULTS) is not None for _, body in pages)
    print(f"{quick / len(pages):.1%} of the pages need no parser.\n")
    print(
        f"{len(pages):,} pages of {size / 1000:.1f} kB in the mean.\n\n| step | CPU ms/page | ÷ lexbor |\n|---|---|---|"
    )
    for name, seconds in found.items():
        print(f"| {name} | {seconds / len(pages) * 1000:.3f} | {seconds / found[_PLAIN]:.2f} |")


def _pages(documents: Iterable[Site]) -> Iterator[tuple[str, bytes]]:
    """URL and body of each page that is read here, in an order in which folders take turns as in a crawl."""
    files = [(site, path) for site in documents for path in sorted(site.root.rglob("*.html"))]
    chosen = files[:: max(1, len(files) // PAGES)]
    random.Random(1).shuffle(chosen)
    for site, path in chosen:
        body = path.read_bytes()
        if too_hostile(body, DEFAULTS) is None:
            yield f"http://site{site.number}.test/{path.relative_to(site.root)}", body


def _best(step: Callable[[str, bytes], object], pages: list[tuple[str, bytes]]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        for url, body in pages:
            step(url, body)
        best = min(best, time.process_time() - begun)
    return best


def _plain(_: str, body: bytes) -> None:
    tree = LexborHTMLParser(body)
    title = tree.css_first("title")
    if title is not None:
        title.text()
    for node in tree.css("a[href]"):
        node.attributes.get("href")
    if tree.body is not None:
        tree.body.text()


def _whole(url: str, body: bytes) -> None:
    resource = Resource(body=body, url=url, content_type=_TYPE)
    if not helper_needed(resource):
        outlinks_of(read_here(resource).links)


def _parsed(url: str, body: bytes) -> None:
    resource = Resource(body=body, url=url, content_type=_TYPE)
    if too_hostile(resource.html.markup, DEFAULTS) is None:
        outlinks_of(read_html(resource.html, resource.kind, url=url, options=DEFAULTS).links)


def _steps(pages: list[tuple[str, bytes]]) -> dict[str, float]:
    """Each step by itself. The later ones change or need what the earlier ones made, so they share a round."""
    found = {
        "type and charset": _best(lambda url, body: (kind_of(body, content_type=_TYPE, url=url), _source(body)), pages),
        "pages that need no parser": _best(lambda _, body: read_quickly(_source(body).markup, DEFAULTS), pages),
        "look before the parse": _best(lambda _, body: too_hostile(body, DEFAULTS), pages),
        "marks of blocks": _best(lambda _, body: with_breaks(body), pages),
    }
    rounds = [_round(pages) for _ in range(ROUNDS)]
    return found | {name: min(each[name] for each in rounds) for name in rounds[0]}


def _source(body: bytes) -> HtmlSource:
    return html_source(body, _TYPE)


def _round(pages: list[tuple[str, bytes]]) -> dict[str, float]:
    spent = dict.fromkeys(("parse", "walk over the elements", "links resolved", "visible text", "tree given back"), 0.0)
    for url, body in pages:
        markup = with_breaks(body)
        times = [time.process_time()]
        tree = LexborHTMLParser(markup, options=_PARSING)
        times.append(time.process_time())
        walk = Walk(DEFAULTS)
        if tree.root is not None:
            walk.over(tree.root)
        times.append(time.process_time())
        resolve(walk.references, base_of(url, walk.base, DEFAULTS))
        times.append(time.process_time())
        visible_text(tree, walk, markup=body, options=DEFAULTS)
        times.append(time.process_time())
        del tree, walk
        times.append(time.process_time())
        for name, begun, ended in zip(spent, times[:-1], times[1:], strict=True):
            spent[name] += ended - begun
    return spent
