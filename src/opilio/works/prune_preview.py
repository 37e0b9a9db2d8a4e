"""What would go with some resources of a result, and what else would break: pages that use them, later harvests.

Nothing is changed. Bounded: of a selection that millions of links lead to, only the first are followed.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.packing import unpack_numbers
from opilio.archive.results.reader import ResultReader
from opilio.archive.results.view import ResultView
from opilio.kernel.capture import Hop
from opilio.works.result_picks import Pick
from opilio.works.result_tree_making import make_tree
from opilio.works.result_tree_reading import Counted, Facet, Leaf, ResultTree

_PORTION = 500  # resources whose links are looked up at a time
_MOST_LINKS = 2_000_000  # that are followed back
_MOST_LOOKED = 50  # pages whose own links are read
_SHOWN = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class UsingPage:
    """A page that stays, and uses something that goes."""

    url: str
    embeds: int  # parts of the page that would be missing
    links: int
    example: str  # one of the URLs


@dataclass(frozen=True, kw_only=True, slots=True)
class NeededBy:
    """A later harvest that kept captures without their bodies, because this one has them."""

    harvest: int
    captures: int
    example: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """What pruning would come to."""

    chosen: Counted
    left: Counted
    vain: tuple[Pick, ...]  # those that mean nothing here
    examples: tuple[Leaf, ...]
    types: tuple[Facet, ...]
    hosts: tuple[Facet, ...]
    pages: tuple[UsingPage, ...]  # the first
    pages_total: int
    pages_whole: bool  # False: more links lead there than were followed
    needed: tuple[NeededBy, ...]

    @property
    def nothing(self) -> bool:
        """Whether nothing would go."""
        return self.chosen.resources == 0

    @property
    def everything(self) -> bool:
        """Whether nothing would be left."""
        return self.left.resources == 0


def preview(folder: Path, number: int, picks: Sequence[Pick], later: Iterable[tuple[int, Path]] = ()) -> Preview:
    """Look at what picks mean in a result; `later`: harvests that may refer to it, with their folders."""
    results = ResultsFolder(folder)
    with ResultTree(make_tree(results, number)) as tree:
        vain = tree.choose(picks)
        chosen, root = tree.chosen(), tree.root()
        gone = _bits(tree)
        users, whole = _users(results, number, tree, gone)
        looked = tree.numbered(sorted(users)[:_MOST_LOOKED])
        return Preview(
            chosen=chosen, vain=tuple(vain), examples=tuple(tree.chosen_leaves(_SHOWN)),
            left=Counted(
                resources=root.resources - chosen.resources, bytes=root.bytes - chosen.bytes,
                captured=root.captured - chosen.captured,
            ),
            types=tuple(tree.chosen_facets("type")), hosts=tuple(tree.chosen_facets("host")),
            pages=tuple(_looked(results, number, looked, gone)), pages_total=len(users),
            pages_whole=whole, needed=tuple(_needed(tree, later)),
        )  # fmt: skip


def _users(results: ResultsFolder, number: int, tree: ResultTree, gone: bytearray) -> tuple[set[int], bool]:
    """The resources that stay and lead to what goes; False when not all links were followed."""
    found: set[int] = set()
    followed = 0
    with ExitStack() as stack:
        layers = [stack.enter_context(ResultReader(file)) for file in _files(results, number)]
        for part in _portions(tree.chosen_numbers()):
            for body in _bodies(layers, part):
                numbers = unpack_numbers(body)
                followed += len(numbers)
                found.update(each for each in numbers if not _in(gone, each))
            if followed > _MOST_LINKS:
                return tree.present(found), False
    return tree.present(found), True


def _bodies(layers: Sequence[ResultReader], numbers: Sequence[int]) -> Iterator[bytes]:
    marks = ", ".join("?" * len(numbers))
    words = f"SELECT body FROM inlinks WHERE resource IN ({marks})"  # noqa: S608 - marks only
    for layer in layers:
        yield from (row[0] for row in layer.ask(words, numbers))


def _bits(tree: ResultTree) -> bytearray:
    gone = bytearray(tree.highest // 8 + 1)
    for each in tree.chosen_numbers():
        gone[each >> 3] |= 1 << (each & 7)
    return gone


def _in(bits: bytearray, number: int) -> bool:
    return number >> 3 < len(bits) and bool(bits[number >> 3] >> (number & 7) & 1)


def _files(results: ResultsFolder, number: int) -> list[Path]:
    with ResultView(results, number) as view:
        return [results.file(each.number) for each in view.lineage()]


def _portions(numbers: Iterator[int]) -> Iterator[list[int]]:
    while part := list(itertools.islice(numbers, _PORTION)):
        yield part


def _looked(results: ResultsFolder, number: int, users: Sequence[Leaf], gone: bytearray) -> Iterator[UsingPage]:
    """Pages with what they would miss, those with missing parts first."""
    pages = []
    with ResultView(results, number) as view:
        for leaf in users:
            missed = [link for link in view.outlinks(leaf.resource) if _goes(view, link.url, gone)]
            embeds = [link.url for link in missed if link.hop is Hop.EMBED]
            others = [link.url for link in missed if link.hop is not Hop.EMBED]
            example = next(iter((*embeds, *others)), "")
            pages.append(UsingPage(url=leaf.url, embeds=len(embeds), links=len(others), example=example))
    yield from sorted(pages, key=lambda page: (-page.embeds, -page.links, page.url))[:_SHOWN]


def _goes(view: ResultView, url: str, gone: bytearray) -> bool:
    found = view.resource(url)
    return found is not None and _in(gone, found.id)


def _needed(tree: ResultTree, later: Iterable[tuple[int, Path]]) -> Iterator[NeededBy]:
    for harvest, folder in later:
        results = ResultsFolder(folder)
        if results.numbers():
            count, example = tree.chosen_revisited(results.file(results.numbers()[0]))
            if count:
                yield NeededBy(harvest=harvest, captures=count, example=example)
