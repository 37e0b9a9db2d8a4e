"""A node on another machine, reached through its service, which verifies, probes and switches by itself."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from opilio.search.generations.manifest import dumped
from opilio.search.generations.verify import Progress
from opilio.search.nodes.copying import Copied
from opilio.search.nodes.errors import NodeUnreachable
from opilio.search.nodes.place import Current
from opilio.search.nodes.service_client import ServiceClient
from opilio.search.nodes.source import Source

_LONG = 3_600.0  # seconds in which a node must have read a whole generation


class RemotePlace:
    """See `Place` for the promises."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client

    @property
    def address(self) -> str:
        return self._client.address

    def current(self) -> Current | None:
        return self._current(self._client.order("GET", "/node/current"))

    def held(self) -> list[str]:
        return sorted(map(str, self._client.order("GET", "/node/current").get("held", [])))

    def take(self, source: Source, progress: Progress | None = None) -> Copied:
        manifest = source.manifest()
        base = f"/node/generations/{manifest.id}"
        told = self._client.order("POST", base, body=dumped(manifest), seconds=_LONG)
        wanted, copied = frozenset(map(str, told.get("missing", []))), Copied()
        for entry in manifest.files:
            if entry.name not in wanted:
                continue
            with source.open(entry.name) as stream:
                path = f"{base}/files/{quote(entry.name)}"
                self._client.order("PUT", path, body=stream, length=entry.size, seconds=_LONG)
            copied = Copied(files=copied.files + 1, size=copied.size + entry.size)
            if progress is not None:
                progress(copied.size, manifest.size)
        self._client.order("POST", f"{base}/finish", body=b"", seconds=_LONG)
        return Copied(files=copied.files, size=copied.size, shared=len(manifest.files) - copied.files)

    def probe(self, generation: str) -> None:
        self._client.order("POST", f"/node/generations/{generation}/probe", body=b"", seconds=_LONG)

    def switch(self, generation: str, *, instead_of: str) -> None:
        order = json.dumps({"generation": generation, "instead_of": instead_of}).encode()
        self._client.order("POST", "/node/switch", body=order)

    def keep(self, count: int) -> tuple[str, ...]:
        order = json.dumps({"count": count}).encode()
        return tuple(map(str, self._client.order("POST", "/node/keep", body=order, seconds=_LONG).get("removed", [])))

    def _current(self, document: Mapping[str, Any]) -> Current | None:
        found = document.get("current")
        if found is None:
            return None
        try:
            made = datetime.fromisoformat(found["made"]) if found.get("made") else None
            since = datetime.fromisoformat(found["since"])
            counts = {str(name): int(count) for name, count in found["counts"].items()}
            return Current(generation=str(found["generation"]), since=since, made=made, counts=counts)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            remedy = "See that the address is that of `opilio node serve`."
            raise NodeUnreachable("the node answers with something else", where=self.address, remedy=remedy) from error
