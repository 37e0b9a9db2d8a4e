"""Puts a node's service together: its folder, what is served from it, and where new generations come from."""

from dataclasses import dataclass
from pathlib import Path

from opilio.archive.store.addresses import open_store
from opilio.archive.store.s3_options import S3Options
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import InvalidInput
from opilio.search.nodes import link
from opilio.search.nodes.app import NodeApp
from opilio.search.nodes.folder_place import FolderPlace, own_place
from opilio.search.nodes.intake import Intake
from opilio.search.nodes.objects import Objects
from opilio.search.nodes.searching import SearchContents
from opilio.search.nodes.serving import Serving
from opilio.search.nodes.store_place import StoreSource, read_current

SHORTEST_TOKEN = 16  # characters


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeWishes:
    """What an operator says of a node."""

    folder: Path  # its own folder, or the link `index/nodes/<name>` of a node beside the generations
    name: str = ""
    token: str = ""  # publishers must show it; empty: nobody publishes through the service
    source: str = ""  # s3://bucket/prefix that is followed; empty: the folder is filled by a publisher
    keep: int = 3  # generations kept when a bucket is followed
    proxies: int = 0  # of ours in front; that many entries of X-Forwarded-For are believed


class NodeService:
    """The application with what it follows. `follow` is to be called every now and then, by one thread."""

    def __init__(
        self, wishes: NodeWishes, contents: SearchContents, *, s3: S3Options | None = None, clock: Clock = SYSTEM
    ) -> None:  # fmt: skip
        _check(wishes)
        self._wishes = wishes
        self._link = wishes.folder if _is_link(wishes.folder) else wishes.folder / "current"
        self._place = None if _is_link(wishes.folder) else own_place(wishes.folder, contents, clock=clock)
        self._objects: Objects | None = open_store(wishes.source, s3) if wishes.source else None
        self.serving = Serving(self._folder_now, contents, clock=clock)
        intake = Intake(self._place, wishes.token) if self._place is not None and wishes.token else None
        self.app = NodeApp(self.serving, name=wishes.name or wishes.folder.name, intake=intake, proxies=wishes.proxies)

    def follow(self) -> None:
        """Fetch what the bucket names, if it is news, then open what the link names."""
        if self._objects is not None and self._place is not None:
            _fetch(self._objects, self._place, self._wishes.keep)
        self.serving.follow()

    def _folder_now(self) -> Path | None:
        return self._link.resolve() if link.served(self._link) else None


def _fetch(objects: Objects, place: FolderPlace, keep: int) -> None:
    """Copy, probe and switch to what a bucket says is current."""
    found = read_current(objects)
    served = link.served(place.link)
    if found is None or found[0] == served:
        return
    place.take(StoreSource(objects, found[0]))
    place.probe(found[0])
    place.switch(found[0], instead_of=served)
    place.keep(keep)


def _is_link(folder: Path) -> bool:
    """A node beside the generations is named by its link; before its first generation, by its place in `nodes/`."""
    return folder.is_symlink() or (not folder.exists() and folder.parent.name == "nodes")


def _check(wishes: NodeWishes) -> None:
    if wishes.token and len(wishes.token) < SHORTEST_TOKEN:
        remedy = f"Choose one of at least {SHORTEST_TOKEN} characters, by chance."
        raise InvalidInput("the token of the node is too short", where="node_token", remedy=remedy)
    if _is_link(wishes.folder) and (wishes.token or wishes.source):
        remedy = "Give the node a folder of its own."
        what = "a node beside the generations takes none over the network"
        raise InvalidInput(what, where=str(wishes.folder), remedy=remedy)
