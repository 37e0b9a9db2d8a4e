"""How a service is given a generation over HTTP by whoever has the token: manifest, missing files, probe, switch.

GET  /node/current                          what is served, what is held
POST /node/generations/ID                   the manifest; answers which files are missing
PUT  /node/generations/ID/files/NAME        one file
POST /node/generations/ID/finish | /probe   read the copy back; open it and compare its answers
POST /node/switch | /node/keep              {"generation", "instead_of"} | {"count"}
"""

import asyncio
import contextlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from opilio.kernel.files import write_atomically
from opilio.search.generations.identifiers import checked_id
from opilio.search.generations.manifest import LARGEST, MANIFEST, Manifest, dumped, parsed
from opilio.search.generations.verify import read_manifest
from opilio.search.nodes.copying import IncomingFile, begin_copy, copy_folder, finish_copy, missing_files
from opilio.search.nodes.errors import BadUpload, NotPublisher, NotServedHere
from opilio.search.nodes.folder_place import FolderPlace
from opilio.search.nodes.messages import Answer, Receive, Scope
from opilio.search.nodes.place import Current

PREFIX = "/node/"
_SMALL = 1 << 16  # bytes of an order
_PURPOSE = "taking a generation from a publisher"
_MOST_KEPT = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class _Order:
    generation: str
    verb: str  # begin, files, finish, probe
    name: str = ""


class Intake:
    """The door for publishers. Without a token it stays shut."""

    def __init__(self, place: FolderPlace, token: str) -> None:
        self._place = place
        self._token = token.encode()

    async def answer(self, scope: Scope, receive: Receive) -> Answer:
        """Obey one order."""
        self._require_token(scope)
        method, path = scope["method"], _path(scope)
        if (method, path) == ("GET", "current"):
            return Answer(document=await asyncio.to_thread(self._told))
        if method == "POST" and path in ("switch", "keep"):
            order = _json(await _body(receive, _SMALL))
            work = self._switch if path == "switch" else self._keep
            return Answer(document=await asyncio.to_thread(work, order))
        return await self._copying(_order(method, path), receive)

    async def _copying(self, order: _Order, receive: Receive) -> Answer:
        work: Callable[[], Mapping[str, Any]]
        if order.verb == "files":
            await self._take_file(order, receive)
            return Answer(document={"taken": order.name})
        if order.verb == "begin":
            text = await _body(receive, LARGEST)
            work = partial(self._begin, order.generation, text)
        else:
            work = partial(self._finish if order.verb == "finish" else self._probe, order.generation)
        return Answer(document=await asyncio.to_thread(work))

    def _begin(self, generation: str, text: bytes) -> dict[str, Any]:
        manifest = parsed(text, where="the manifest that was sent")
        if manifest.id != generation:
            raise BadUpload(f"the manifest is that of {manifest.id}", remedy="Send the one of this generation.")
        with self._place.generations.changing(_PURPOSE):
            if self._place.sound_or_dropped(manifest):
                return {"missing": [], "held": True}
            folder = begin_copy(manifest, self._place.generations)
            write_atomically(folder / MANIFEST, dumped(manifest))
            return {"missing": [entry.name for entry in missing_files(folder, manifest)], "held": False}

    async def _take_file(self, order: _Order, receive: Receive) -> None:
        with self._place.generations.changing(_PURPOSE):
            manifest = await asyncio.to_thread(self._begun, order.generation)
            entry = next((each for each in manifest.files if each.name == order.name), None)
            if entry is None:
                raise BadUpload(f"the manifest has no file {order.name[:80]!r}", remedy="Send what it lists.")
            folder = self._folder(order.generation)
            with contextlib.closing(await asyncio.to_thread(IncomingFile, folder, entry)) as incoming:
                more = True
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise BadUpload("the file broke off", where=order.name, remedy="Send it again.")
                    await asyncio.to_thread(incoming.write, message.get("body", b""))
                    more = message.get("more_body", False)
                await asyncio.to_thread(incoming.finish)

    def _finish(self, generation: str) -> dict[str, Any]:
        with self._place.generations.changing(_PURPOSE):
            if generation not in self._place.held():
                manifest = self._begun(generation)
                finish_copy(self._folder(generation), manifest, self._place.generations)
        return {"generation": generation}

    def _probe(self, generation: str) -> dict[str, Any]:
        self._place.probe(generation)
        return {"generation": generation}

    def _switch(self, order: Mapping[str, Any]) -> dict[str, Any]:
        generation, instead_of = order.get("generation"), order.get("instead_of")
        if not isinstance(generation, str) or not isinstance(instead_of, str):
            raise BadUpload("the order names no generation", remedy='Send {"generation": "…", "instead_of": "…"}.')
        self._place.switch(checked_id(generation), instead_of=instead_of and checked_id(instead_of))
        return self._told()

    def _keep(self, order: Mapping[str, Any]) -> dict[str, Any]:
        count = order.get("count")
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= _MOST_KEPT:
            raise BadUpload(f"count is no number from 1 to {_MOST_KEPT}", remedy='Send {"count": 3}.')
        return {"removed": list(self._place.keep(count))}

    def _told(self) -> dict[str, Any]:
        current = self._place.current()
        return {"current": told_current(current), "held": self._place.held()}

    def _begun(self, generation: str) -> Manifest:
        folder = self._folder(generation)
        if not (folder / MANIFEST).is_file():
            raise BadUpload(f"no copy of {generation} was begun", remedy="Send its manifest first.")
        return read_manifest(folder)

    def _folder(self, generation: str) -> Path:
        return copy_folder(self._place.generations, generation)

    def _require_token(self, scope: Scope) -> None:
        given = next((value for name, value in scope["headers"] if name.lower() == b"authorization"), b"")
        scheme, _, token = given.partition(b" ")
        if not self._token or scheme.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self._token):
            remedy = "Send the token of this node in the header Authorization: Bearer …"
            raise NotPublisher("only a publisher may do this", remedy=remedy)


def told_current(current: Current | None) -> dict[str, Any] | None:
    """What a node serves, as JSON holds it."""
    if current is None:
        return None
    return {
        "generation": current.generation,
        "since": current.since.isoformat(),
        "made": current.made.isoformat() if current.made is not None else None,
        "counts": dict(current.counts),
    }


def _order(method: str, path: str) -> _Order:
    parts = path.split("/", 3)
    if parts[0] == "generations" and len(parts) >= 2:
        generation = checked_id(parts[1])
        if method == "POST" and len(parts) == 2:
            return _Order(generation=generation, verb="begin")
        if method == "POST" and len(parts) == 3 and parts[2] in ("finish", "probe"):
            return _Order(generation=generation, verb=parts[2])
        if method == "PUT" and len(parts) == 4 and parts[2] == "files":
            return _Order(generation=generation, verb="files", name=parts[3])
    raise NotServedHere("there is no such order", where=f"{method} {PREFIX}{path[:80]}", remedy="See the how-to.")


def _path(scope: Scope) -> str:
    raw = scope.get("raw_path")
    text = unquote(raw.partition(b"?")[0].decode("latin-1")) if raw else scope["path"]
    return str(text).removeprefix(PREFIX)


def _json(text: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadUpload("the order is no JSON", remedy="Send an object in UTF-8.") from error
    if not isinstance(found, dict):
        raise BadUpload("the order is no JSON object", remedy="Send an object.")
    return found


async def _body(receive: Receive, most: int) -> bytes:
    held = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise BadUpload("the request broke off", remedy="Send it again.")
        held += message.get("body", b"")
        if len(held) > most:
            raise BadUpload(f"the request has more than {most} bytes", remedy="Send less.")
        more = message.get("more_body", False)
    return bytes(held)
