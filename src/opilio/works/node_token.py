"""The token by which a node knows its publisher: a line in a file of the secrets folder, the same on both machines."""

import re
import secrets
from pathlib import Path

from opilio.kernel.errors import InvalidInput, Missing
from opilio.kernel.files import SECRET, SECRET_FOLDER, ensure_folder, reading, write_atomically
from opilio.works.node_service import SHORTEST_TOKEN

TOKEN_FILE = "node_token"  # noqa: S105 - the name of a file, no token
_BYTES = 32
_FORM = re.compile(r"[\x21-\x7e]+")
_LONGEST = 1_000  # characters


def make_token(path: Path) -> bool:
    """Make a token by chance, for the owner of the file only; False when there is one, which stays."""
    ensure_folder(path.parent, mode=SECRET_FOLDER)
    return write_atomically(path, f"{secrets.token_urlsafe(_BYTES)}\n".encode(), mode=SECRET, replace=False)


def read_token(path: Path, *, needed: bool = True) -> str:
    """The token in a file; `Missing` when it is needed and there is none, `InvalidInput` when it is too weak."""
    if not path.exists():
        if not needed:
            return ""
        remedy = "Make one with `opilio node token`, and copy the file to the other machine."
        raise Missing("there is no token of a node", where=str(path), remedy=remedy)
    with reading(path), path.open("rb") as stream:
        token = stream.read(_LONGEST + 1).decode("ascii", "replace").strip()
    if not SHORTEST_TOKEN <= len(token) <= _LONGEST or not _FORM.fullmatch(token):
        remedy = f"Keep one line of {SHORTEST_TOKEN} to {_LONGEST} ASCII characters in it, without blanks."
        raise InvalidInput("the file holds no usable token", where=str(path), remedy=remedy)
    return token
