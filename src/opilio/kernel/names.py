"""File names out of hostile ones: partners, web servers and archives choose names, and none of them is trusted.

`safe_name` makes a name for one file; `inside` checks a relative path that must stay below a folder.
"""

import base64
import hashlib
import re
import unicodedata
from pathlib import Path, PurePosixPath

from opilio.kernel.errors import BadName

#: The longest name that is made, in bytes of UTF-8; file systems allow 255.
LONGEST = 200
_FILE_SYSTEM_LIMIT = 255  # bytes of one name

_REPLACED = re.compile(r'[<>:"/\\|?*]')
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_MARKED = re.compile(r".*~[a-z2-7]{16}(\..*)?", re.IGNORECASE | re.DOTALL)
_EXTENSION = re.compile(r"(?<=[^.])\.[A-Za-z0-9]{1,12}$")
_BAD_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BAD_IN_PATH = re.compile(r"[\x00-\x1f\x7f\\]|^[A-Za-z]:")


def safe_name(name: str) -> str:
    """A file name for what somebody else called `name`; the same one every time.

    No separators, controls, invisible or reserved characters, no device names, no leading dot or hyphen, NFC, never
    empty, at most LONGEST bytes. A name that is fine is kept; a changed one gets `~` and 80 bits of a digest of the
    original before its extension, so that two names that look alike afterwards do not meet. Not idempotent on purpose:
    a name that already ends in such a mark is marked again, or anybody could choose somebody else's.
    """
    if not isinstance(name, str):
        raise BadName(f"a file name must be text, not {type(name).__name__}", remedy="Decode the bytes first.")
    cleaned = _cleaned(name)
    if cleaned == name and len(name.encode()) <= LONGEST and not _MARKED.fullmatch(name):
        return name
    mark = base64.b32encode(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:10]).decode().lower()
    extension = _EXTENSION.search(cleaned)
    tail = extension[0] if extension else ""
    stem = cleaned.removesuffix(tail) if tail else cleaned
    return f"{_cut(stem, LONGEST - len(mark) - 1 - len(tail))}~{mark}{tail}"


def inside(root: Path, name: str) -> Path:
    """The path of a relative name below `root`; `BadName` when it would lead anywhere else.

    Refuses absolute names, `..`, drive letters, backslashes, control characters, and symbolic links that leave the
    folder. It judges what lies on the disk now: extract into a folder that nobody else writes to.
    """
    if not isinstance(name, str) or _BAD_IN_PATH.search(name) or not name.isprintable():
        raise _leaves(root, name)
    relative = PurePosixPath(name)
    too_long = any(len(part.encode()) > _FILE_SYSTEM_LIMIT for part in relative.parts)
    if relative.is_absolute() or ".." in relative.parts or not relative.parts or too_long:
        raise _leaves(root, name)
    try:
        base = root.resolve(strict=True)
        found = base.joinpath(relative).resolve()
    except (OSError, RuntimeError, UnicodeError):  # no such folder, a loop of links
        raise _leaves(root, name) from None
    if found == base or not found.is_relative_to(base):
        raise _leaves(root, name)
    return found


def _cleaned(name: str) -> str:
    text = _REPLACED.sub("_", unicodedata.normalize("NFC", name[: 8 * LONGEST]))
    text = "".join("_" if _is_bad(char) else char for char in text).strip(" ").rstrip(". ")
    if text[:1] in (".", "-", "~"):
        text = f"_{text[1:]}"
    if not text:
        return "unnamed"
    return f"_{text}" if _DEVICE.fullmatch(text) else text


def _is_bad(char: str) -> bool:
    category = unicodedata.category(char)
    return category in _BAD_CATEGORIES or (category == "Zs" and char != " ")


def _cut(text: str, size: int) -> str:
    """The beginning of a text that fits into `size` bytes, whole characters only."""
    return text.encode()[:size].decode("utf-8", "ignore").rstrip(". ")


def _leaves(root: Path, name: object) -> BadName:
    shown = repr(str(name)[:120])
    return BadName(
        f"the name {shown} does not stay inside its folder", where=str(root), remedy="Refuse the file it came in."
    )
