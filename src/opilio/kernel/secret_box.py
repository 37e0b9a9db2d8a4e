"""Secrets at rest: sealed with AES-256-GCM under a key that lies outside the database, in a file of mode 600.

A sealed text names its key, so that keys can be changed one after the other, and is bound to its place: moved to
another row it does not open. Nothing here is logged, and no message repeats a secret.
"""

import base64
import binascii
import re
import secrets
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from opilio.kernel.errors import Damaged, InvalidInput, Unavailable
from opilio.kernel.files import SECRET, SECRET_FOLDER, ensure_folder, mapped, reading, write_atomically

KEY_FILE = "credentials.keys"
LONGEST = 65_536  # characters of a secret
_PREFIX = "box1"
_NONCE = 12  # bytes, random: at most 2³² texts under one key (NIST SP 800-38D §8.3)
_KEY = 32  # bytes
_MOST_BYTES = 65_536  # of a key file
_LINE = re.compile(r"(?P<name>[0-9a-f]{8}) (?P<key>[A-Za-z0-9_-]{43}=)")
_SEALED = re.compile(rf"{_PREFIX}\.(?P<key>[0-9a-f]{{8}})\.(?P<data>[A-Za-z0-9_-]+={{0,2}})")
_HEAD = "# Opens the credentials in the catalogue. Keep it secret, and keep a copy. The last key seals.\n"


class NoSecretKey(Unavailable):
    """The key that a secret was sealed with is not here."""


class BadKeyFile(Unavailable):
    """The file of keys cannot be used as it is."""


class BrokenSecret(Damaged):
    """A sealed secret does not open: it was changed, or moved from its place."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of an installation, oldest first; the last one seals."""

    by_name: Mapping[str, bytes] = field(repr=False)

    @property
    def current(self) -> str:
        """The name of the key that seals."""
        return list(self.by_name)[-1]


class SecretBox:
    """Seals and opens texts. `place` says what a text is, such as `credential 17 password`; both must say the same."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / KEY_FILE

    def seal(self, text: str, *, place: str) -> str:
        """The text as it may be stored. The first call makes the key."""
        if not isinstance(text, str) or len(text) > LONGEST:
            remedy = "Shorten it."
            raise InvalidInput(f"a secret has at most {LONGEST} characters", where="secret", remedy=remedy)
        try:
            data = text.encode()
        except UnicodeEncodeError:
            raise InvalidInput("a secret holds half a character", where="secret", remedy="Type it anew.") from None
        keys = self._keys(make=True)
        nonce = secrets.token_bytes(_NONCE)
        sealed = AESGCM(keys.by_name[keys.current]).encrypt(nonce, data, place.encode())
        return f"{_PREFIX}.{keys.current}.{base64.urlsafe_b64encode(nonce + sealed).decode()}"

    def open(self, sealed: str, *, place: str) -> str:
        """The text that was sealed for this place."""
        found = _SEALED.fullmatch(sealed) if isinstance(sealed, str) else None
        if found is None:
            raise _broken(place, "it is no sealed text")
        key = self._keys(make=False).by_name.get(found["key"])
        if key is None:
            raise NoSecretKey(
                f"the secret was sealed with the key {found['key']}, which is not in the file",
                where=str(self._path), remedy="Put that key's line back from a backup, or enter the secret anew.",
            )  # fmt: skip
        try:
            data = base64.urlsafe_b64decode(found["data"])
            return AESGCM(key).decrypt(data[:_NONCE], data[_NONCE:], place.encode()).decode()
        except (InvalidTag, ValueError):
            raise _broken(place, "it was changed, moved, or sealed with another key of that name") from None

    def stale(self, sealed: str) -> bool:
        """Whether it was sealed with an older key than the one that seals now."""
        found = _SEALED.fullmatch(sealed)
        return found is None or found["key"] != self._keys(make=True).current

    def rotate(self) -> str:
        """Add a new key, with which all is sealed from now on; its name. Older ones still open."""
        keys = self._keys(make=True)
        name, key = _fresh(keys.by_name)
        write_atomically(self._path, _written({**keys.by_name, name: key}), mode=SECRET)
        return name

    def _keys(self, *, make: bool) -> Keys:
        if make and not self._path.exists():
            ensure_folder(self._path.parent, mode=SECRET_FOLDER)
            write_atomically(self._path, _written(dict([_fresh({})])), mode=SECRET, replace=False)
        return self._read()

    def _read(self) -> Keys:
        if not self._path.exists():
            raise NoSecretKey(
                "there is no key to open secrets with", where=str(self._path),
                remedy="Copy the file from a backup or from the machine that made it.",
            )  # fmt: skip
        with mapped(self._path):
            mode = stat.S_IMODE(self._path.stat().st_mode)
        if mode & ~SECRET:
            what = f"the file of keys has the mode {mode:03o}, so that others may read it"
            raise BadKeyFile(what, where=str(self._path), remedy=f"Say: chmod 600 {self._path}.")
        with reading(self._path), self._path.open("rb") as stream:
            return _parsed(stream.read(_MOST_BYTES + 1), self._path)


def _parsed(data: bytes, path: Path) -> Keys:
    lines = data.decode("ascii", "replace").splitlines()
    found: dict[str, bytes] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        entry = _LINE.fullmatch(line.strip())
        key = _decoded(entry["key"]) if entry else b""
        if entry is None or len(key) != _KEY:
            remedy = "Put the file back from a backup."
            raise BadKeyFile("the file of keys holds something else", where=f"{path}, line {number}", remedy=remedy)
        found[entry["name"]] = key
    if not found or len(data) > _MOST_BYTES:
        raise BadKeyFile("the file of keys holds no keys", where=str(path), remedy="Put it back from a backup.")
    return Keys(found)


def _decoded(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text)
    except binascii.Error:
        return b""


def _fresh(known: Mapping[str, bytes]) -> tuple[str, bytes]:
    name = next(name for name in iter(lambda: secrets.token_hex(4), "") if name not in known)
    return name, secrets.token_bytes(_KEY)


def _written(keys: Mapping[str, bytes]) -> bytes:
    lines = (f"{name} {base64.urlsafe_b64encode(key).decode()}\n" for name, key in keys.items())
    return (_HEAD + "".join(lines)).encode("ascii")


def _broken(place: str, why: str) -> BrokenSecret:
    return BrokenSecret(f"the secret does not open: {why}", where=place[:80], remedy="Enter the secret anew.")
