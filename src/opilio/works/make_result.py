"""Makes the result that a row of the catalogue names, or finds that it was made before; right after every crash."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from opilio.archive.results.deriving import Change, Told
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.values import Head, Removed, ResultWarc
from opilio.archive.results.view import ResultView
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict, InvalidInput
from opilio.works.derive_result import derive
from opilio.works.result_change import WantedChange
from opilio.works.result_tree_making import make_tree
from opilio.works.result_tree_reading import ResultTree


class NothingLeft(InvalidInput):
    """A result in which nothing would be left."""


class AnotherResult(Conflict):
    """The folder has another result under the number."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The result that is to be made."""

    number: int
    parent: int
    change: WantedChange
    note: str
    by: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """A result that is whole."""

    resources: int
    bytes: int  # of their captures
    digest: str
    notes: tuple[str, ...]  # the modification notes
    files: tuple[ResultWarc, ...]  # WARC files that came with it
    removed: int
    added: int


@dataclass(frozen=True, slots=True)
class ChosenRows:
    """What is chosen in a tree, for the new result."""

    tree: ResultTree
    change: WantedChange

    def notes(self) -> list[str]:
        """What was asked for."""
        return [str(pick) for pick in self.change.remove]

    def removed(self) -> Iterator[Removed]:
        """By growing number."""
        return self.tree.chosen_removed()


def make_result(folder: Path, asked: Asked, *, clock: Clock = SYSTEM, told: Told = lambda *_: None) -> Made:
    """Derive the result unless it is there; `Conflict` while somebody else works in the folder."""
    results = ResultsFolder(folder)
    if asked.number not in results.numbers():
        _derive(results, asked, clock, told)
    with ResultView(results, asked.number) as view:
        _require_same(view.head, asked, results)
        last, resources = view.lineage()[-1], sum(view.outcomes().values())
        brought = [warc for warc in view.warcs() if warc.file in view.head.copied]
    told("counting folders", 0, 0)
    with ResultTree(make_tree(results, asked.number)) as tree:
        size = tree.root().bytes
    return Made(
        resources=resources, bytes=size, digest=results.digest(asked.number), notes=last.changes, files=tuple(brought),
        removed=last.removed, added=last.added,
    )  # fmt: skip


def _derive(results: ResultsFolder, asked: Asked, clock: Clock, told: Told) -> None:
    wanted = asked.change
    change = Change(add=wanted.files(results.crawl), existing=wanted.existing, note=asked.note, by=asked.by)
    if not wanted.remove:
        derive(results.crawl, change, parent=asked.parent, number=asked.number, clock=clock, told=told)
        return
    with ResultTree(make_tree(results, asked.parent)) as tree:
        vain = tree.choose(wanted.remove)
        if len(vain) == len(wanted.remove) and not wanted.add:
            what = f"nothing of it is in result {asked.parent}: {', '.join(map(str, vain[:3]))}"
            raise InvalidInput(what, where=str(results.crawl), remedy="Choose from the tree of the result.")
        if not wanted.add:
            require_rest(tree, str(results.crawl))
        change = replace(change, picked=ChosenRows(tree, wanted))
        derive(results.crawl, change, parent=asked.parent, number=asked.number, clock=clock, told=told)


def require_rest(tree: ResultTree, where: str) -> None:
    """`NothingLeft` when everything is chosen."""
    if tree.chosen_count() >= tree.root().resources:
        remedy = "Leave something in it; to throw all of it away, reject the result."
        raise NothingLeft("Nothing would be left of the result", where=where, remedy=remedy)


def _require_same(head: Head, asked: Asked, results: ResultsFolder) -> None:
    if (head.parent, head.note) != (asked.parent, asked.note):
        remedy = "It was derived on the command line; begin the change once more."
        what = f"The folder has another result {asked.number} already"
        raise AnotherResult(what, where=str(results.file(asked.number)), remedy=remedy)
