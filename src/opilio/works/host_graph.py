"""Which hosts of a result link to which: counted once, kept as a small file beside the result, drawn as a picture.

Bounded: of a very large result the first links are counted, and the picture says so; it shows the busiest hosts.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.packing import link_targets
from opilio.archive.results.view import ResultView
from opilio.kernel.files import mapped, write_atomically
from opilio.works.markup import Markup, joined, tag
from opilio.works.result_tree_making import make_tree
from opilio.works.result_tree_reading import ResultTree

_FORMAT = 1
_MOST_LINKS = 5_000_000  # that are followed
_MOST_PAIRS = 200_000  # of hosts that are counted
_KEPT_PAIRS = 500
_SHOWN = 24  # hosts in the picture
_PORTION = 2_000
_SIZE = 640  # pixels of the picture
_LONGEST = 22  # characters of a name in it


@dataclass(frozen=True, kw_only=True, slots=True)
class HostLink:
    """Links from one host to another."""

    source: str
    target: str
    links: int  # pages of the one times URLs of the other


@dataclass(frozen=True, kw_only=True, slots=True)
class HostGraph:
    """Hosts that link hosts, the busiest first."""

    links: tuple[HostLink, ...]
    inside: frozenset[str]  # hosts that the result has resources of
    hosts: int  # how many there are in all
    whole: bool  # False: there are more links than were counted


def host_graph(results: ResultsFolder, number: int) -> HostGraph:
    """The graph of a result, counted if that was not done yet."""
    path, digest = _path(results, number), results.digest(number)
    kept = _kept(path)
    if kept is None or kept.get("digest") != digest:
        kept = {"format": _FORMAT, "digest": digest, **_counted(results, number)}
        write_atomically(path, json.dumps(kept).encode())
    return HostGraph(
        links=tuple(HostLink(source=source, target=target, links=count) for source, target, count in kept["links"]),
        inside=frozenset(kept["inside"]), hosts=int(kept["hosts"]), whole=bool(kept["whole"]),
    )  # fmt: skip


def is_counted(results: ResultsFolder, number: int) -> bool:
    """Whether that was done."""
    kept = _kept(_path(results, number))
    return kept is not None and kept.get("digest") == results.digest(number)


def _path(results: ResultsFolder, number: int) -> Path:
    return results.path / f"result-{number}.hosts.tree.db"


def _kept(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    with mapped(path):
        text = path.read_bytes()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("format") == _FORMAT else None


def _counted(results: ResultsFolder, number: int) -> dict[str, Any]:
    counts: Counter[tuple[str, str]] = Counter()
    followed = 0
    with ResultTree(make_tree(results, number)) as tree:
        for source, body in _bodies(results, number, tree):
            targets = Counter(map(_host, link_targets(body)))
            followed += sum(targets.values())
            for target, count in targets.items():
                if target and target != source and ((source, target) in counts or len(counts) < _MOST_PAIRS):
                    counts[source, target] += count
            if followed > _MOST_LINKS:
                break
        links = [(*pair, count) for pair, count in counts.most_common(_KEPT_PAIRS)]
        named = {name for source, target, _ in links for name in (source, target)}
        inside = sorted(name for name in named if tree.has_host(name))
        hosts = tree.root().folders
    return {"links": links, "inside": inside, "hosts": hosts, "whole": followed <= _MOST_LINKS}


def _bodies(results: ResultsFolder, number: int, tree: ResultTree) -> Iterator[tuple[str, bytes]]:
    """The packed links of each page, with the page's host."""
    with ResultView(results, number) as view:
        rows = view.packed_outlinks()
        while part := dict(islice(rows, _PORTION)):
            for leaf in tree.numbered(list(part)):
                yield _host(leaf.url), part[leaf.resource]


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0] if url.startswith(("http://", "https://")) else ""


def drawn(graph: HostGraph) -> Markup:
    """The busiest hosts in a circle, with a line for each pair that links."""
    busy: Counter[str] = Counter()
    for link in graph.links:
        busy[link.source] += link.links
        busy[link.target] += link.links
    names = sorted(name for name, _ in busy.most_common(_SHOWN))
    places = {name: _place(number, len(names)) for number, name in enumerate(names)}
    links = [link for link in graph.links if link.source in places and link.target in places]
    most = max((link.links for link in links), default=1)
    lines = [_line(link, places, most) for link in reversed(links)]
    dots = [_dot(name, places[name], inside=name in graph.inside) for name in names]
    title = "Hosts that link hosts"
    spoken = (
        "; ".join(f"{link.source} to {link.target}: {link.links:,}" for link in links[:12]) or "No host links another."
    )
    picture = tag(
        "svg", tag("title", title, id="host-graph-title"), tag("desc", spoken, id="host-graph-desc"),
        joined(*lines), joined(*dots), role="img", aria_labelledby="host-graph-title host-graph-desc",
        viewBox=f"0 0 {_SIZE} {_SIZE}", width="100%",
    )  # fmt: skip
    return tag("figure", tag("figcaption", title), picture, class_="plot host-graph")


def _place(number: int, count: int) -> tuple[float, float]:
    angle = 2 * math.pi * number / max(count, 1) - math.pi / 2
    radius = _SIZE * 0.32
    return _SIZE / 2 + radius * math.cos(angle), _SIZE / 2 + radius * math.sin(angle)


def _line(link: HostLink, places: dict[str, tuple[float, float]], most: int) -> Markup:
    (x1, y1), (x2, y2) = places[link.source], places[link.target]
    middle = _SIZE / 2
    width = 1 + 5 * math.log1p(link.links) / max(math.log1p(most), 1)
    return tag(
        "path", tag("title", f"{link.source} → {link.target}: {link.links:,}"), class_="host-line", fill="none",
        d=f"M{x1:.1f},{y1:.1f} Q{middle:.1f},{middle:.1f} {x2:.1f},{y2:.1f}", stroke_width=f"{width:.1f}",
    )  # fmt: skip


def _dot(name: str, place: tuple[float, float], *, inside: bool) -> Markup:
    x, y = place
    left = x < _SIZE / 2 - 1
    label = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    return tag(
        "g",
        tag("title", name if inside else f"{name} (nothing of it is in the result)"),
        tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=6, class_="p0" if inside else "host-outside"),
        tag(
            "text", label, x=f"{x - 10 if left else x + 10:.1f}", y=f"{y + 4:.1f}",
            text_anchor="end" if left else "start",
        ),
    )  # fmt: skip
