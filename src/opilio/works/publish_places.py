"""Finds the place of a node: beside the generations, in a folder of its own, in a bucket, or behind its service."""

import re
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.store.addresses import open_store
from opilio.archive.store.s3_options import S3Options
from opilio.kernel.clock import SYSTEM, Clock
from opilio.search.generations.contents import Contents
from opilio.search.generations.library import Generations
from opilio.search.nodes import link
from opilio.search.nodes.errors import BadNodes
from opilio.search.nodes.folder_place import FolderPlace, own_place
from opilio.search.nodes.node import Node, is_http
from opilio.search.nodes.place import Place
from opilio.search.nodes.remote_place import RemotePlace
from opilio.search.nodes.service_client import ServiceClient
from opilio.search.nodes.store_place import StorePlace

GENERATIONS, NODES, PROBES = "generations", "nodes", "probes"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceFinder:
    """What is needed to reach nodes of any kind."""

    index: Path  # the folder `index/` of the installation
    contents: Contents
    token: str = ""  # for nodes behind a service
    s3: S3Options | None = None
    clock: Clock = SYSTEM

    def generations(self) -> Generations:
        """Those that were built here."""
        return Generations(self.index / GENERATIONS, clock=self.clock)

    def place(self, node: Node) -> Place:
        """Where a node keeps its generations."""
        if not node.place:
            return self._shared(node)
        if is_http(node.place):
            return RemotePlace(ServiceClient(node.place, token=self.token, ca_file=node.ca_file))
        if node.place.lower().startswith("s3://"):
            scratch = self.index / PROBES / node.name
            return StorePlace(open_store(node.place, self.s3), scratch, self.contents, clock=self.clock)
        if _SCHEME.match(node.place):
            remedy = "Write a folder, s3://bucket/prefix, or the http(s) address of `opilio node serve`."
            raise BadNodes(f"the place of {node.name} cannot be reached", where=node.place[:200], remedy=remedy)
        return own_place(Path(node.place), self.contents, clock=self.clock)

    def served_here(self) -> set[str]:
        """The generations that nodes without a place of their own serve."""
        folder = self.index / NODES
        return {link.served(each) for each in folder.iterdir()} - {""} if folder.is_dir() else set()

    def _shared(self, node: Node) -> FolderPlace:
        where = self.index / NODES / node.name
        return FolderPlace(self.generations(), where, self.contents, in_use=self.served_here)
