"""Reads a book of credentials from a TOML file that only its owner may read. Messages never repeat a value."""

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opilio.crawl.logins.book import CredentialBook
from opilio.crawl.logins.entries import credential_of
from opilio.crawl.logins.errors import BadCredentials
from opilio.kernel.files import SECRET, reading

_LARGEST = 1_048_576  # bytes
_NAME = re.compile(r"[A-Za-z0-9._-]{1,80}")


def read_book(path: Path, environ: Mapping[str, str]) -> CredentialBook:
    """The book in a file; `environ` has the variables that it may name instead of secrets."""
    entries = _parsed(path, _content(path))
    found = {}
    for name, entry in entries.items():
        where = f"{path}, [{name[:80]}]"
        if _NAME.fullmatch(name) is None:
            what = "a credential's name has other signs than A-Z a-z 0-9 . _ -"
            raise BadCredentials(what, where=where, remedy="Rename it, here and where it is used.")
        if not isinstance(entry, dict):
            raise BadCredentials("it is no table", where=where, remedy=f"Write [{name}] and its values below.")
        found[name] = credential_of(name, entry, environ=environ, where=where)
    if not found:
        raise BadCredentials("the file holds no credential", where=str(path), remedy="Write at least one table.")
    return CredentialBook(found)


def _content(path: Path) -> bytes:
    with reading(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe is not waited for
        try:
            _check(path, os.fstat(descriptor))
            return os.read(descriptor, _LARGEST + 1)
        finally:
            os.close(descriptor)


def _check(path: Path, status: os.stat_result) -> None:
    mode = stat.S_IMODE(status.st_mode)
    if not stat.S_ISREG(status.st_mode):
        raise BadCredentials("the credentials are in no ordinary file", where=str(path), remedy="Name a file.")
    if mode & ~SECRET:
        raise BadCredentials(
            f"the file of credentials has the mode {mode:03o}, so that others may read it",
            where=str(path),
            remedy=f"Say: chmod 600 {path}. If others could read it before, change the passwords.",
        )
    if status.st_size > _LARGEST:
        raise BadCredentials("the file of credentials is larger than 1 MiB", where=str(path), remedy="Shorten it.")


def _parsed(path: Path, data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadCredentials(
            "the file of credentials is no UTF-8", where=str(path), remedy="Save it as UTF-8."
        ) from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at [^()]*\)", str(error))
        what = f"the file of credentials is no TOML {place[0] if place else ''}".strip()
        raise BadCredentials(what, where=str(path), remedy="Mend it; see crawl-behind-a-login.md.") from None
