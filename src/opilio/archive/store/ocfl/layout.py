"""Names in an archive: what declares it, and where the object of an identifier lies.

OCFL 1.1 §4; extension 0003, hashed n-tuples that end in the identifier, with its ordinary parameters.
"""

import hashlib
import json
import re

from opilio.archive.store.errors import BadObjectKey

EXTENSION = "0003-hash-and-id-n-tuple-storage-layout"
ROOT_NAME = "0=ocfl_1.1"
ROOT_TEXT = b"ocfl_1.1\n"
OBJECT_NAME = "0=ocfl_object_1.1"
OBJECT_TEXT = b"ocfl_object_1.1\n"
LAYOUT_NAME = "ocfl_layout.json"
CONFIG_NAME = f"extensions/{EXTENSION}/config.json"
INVENTORY = "inventory.json"
SIDECAR = "inventory.json.sha512"
CONTENT = "content"

_PARAMETERS = {
    "extensionName": EXTENSION,
    "digestAlgorithm": "sha256",
    "tupleSize": 3,
    "numberOfTuples": 3,
}
_DESCRIPTION = (
    "Three folders with three characters each of the sha256 of an object's identifier, then the identifier, encoded."
)
_ROOT = re.compile(r"(?:[0-9a-f]{3}/){3}[A-Za-z0-9_%-]+")
_UNSAFE = re.compile(rb"[^A-Za-z0-9_-]")
_LONGEST_NAME = 100  # characters of an encoded identifier
_LONGEST_ID = 1_000  # characters


def declarations() -> dict[str, bytes]:
    """The files that make an archive of a store, the one that declares it last."""
    layout = {"extension": EXTENSION, "description": _DESCRIPTION}
    return {LAYOUT_NAME: _json(layout), CONFIG_NAME: _json(_PARAMETERS), ROOT_NAME: ROOT_TEXT}


def is_this_layout(config: bytes) -> bool:
    """Whether a layout's parameters are the ones used here."""
    try:
        found = json.loads(config)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and {**_PARAMETERS, **found} == _PARAMETERS


def object_root(identifier: str) -> str:
    """Where the object of an identifier lies."""
    checked_identifier(identifier)
    digest = hashlib.sha256(identifier.encode()).hexdigest()
    name = _UNSAFE.sub(lambda found: f"%{found[0][0]:02x}".encode(), identifier.encode()).decode()
    if len(name) > _LONGEST_NAME:
        name = f"{name[:_LONGEST_NAME]}-{digest}"
    return f"{digest[:3]}/{digest[3:6]}/{digest[6:9]}/{name}"


def is_root(key: str) -> bool:
    """Whether an object could lie there."""
    return _ROOT.fullmatch(key) is not None


def checked_identifier(identifier: str) -> str:
    """The identifier itself; `BadObjectKey` when it cannot be one."""
    if not identifier or len(identifier) > _LONGEST_ID or not identifier.isprintable():
        shown = repr(identifier[:80])
        raise BadObjectKey(f"{shown} cannot identify a harvest", remedy="Give up to 1,000 printable characters.")
    return identifier


def _json(document: object) -> bytes:
    return json.dumps(document, indent=2).encode() + b"\n"
