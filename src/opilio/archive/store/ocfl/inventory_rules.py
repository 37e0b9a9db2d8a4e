"""What an inventory must keep to, whoever wrote it: each fault in words (OCFL 1.1 §3.5). Pure."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

_TYPES = ("https://ocfl.io/1.0/spec/#inventory", "https://ocfl.io/1.1/spec/#inventory")
_KEYS = {"id", "type", "digestAlgorithm", "head", "contentDirectory", "manifest", "versions", "fixity"}
_VERSION_KEYS = {"created", "state", "message", "user"}
_DIGEST = re.compile(r"[0-9a-fA-F]{128}")
_VERSION = re.compile(r"v[1-9][0-9]{0,8}")


def faults_of(document: object) -> Iterator[str]:
    """Each fault of an inventory; nothing else is looked at once its outer form is wrong."""
    if not isinstance(document, dict):
        yield "it is no JSON object"
        return
    outer = list(_outer(document))
    yield from outer
    if outer:
        return
    content = document.get("contentDirectory", "content")
    yield from _block("the manifest", document["manifest"], content)
    yield from _versions(document)
    yield from _fixity(document.get("fixity", {}), content)


def _outer(document: dict[str, Any]) -> Iterator[str]:
    for name in sorted(set(document) - _KEYS):
        yield f"the key {name[:40]!r} is unknown"
    for name, kind in (("id", str), ("type", str), ("head", str), ("manifest", dict), ("versions", dict)):
        if not isinstance(document.get(name), kind) or not (document[name] or name == "manifest"):
            yield f"{name} is missing or of the wrong type"
    if document.get("digestAlgorithm") != "sha512":
        yield "the digest algorithm is not sha512"
    if document.get("type") not in _TYPES:
        yield "the type is that of no known version of OCFL"
    if not isinstance(document.get("fixity", {}), dict):
        yield "fixity is of the wrong type"
    content = document.get("contentDirectory", "content")
    if not isinstance(content, str) or content in ("", ".", "..") or "/" in content:
        yield "contentDirectory is no name of a folder"


def _block(what: str, block: dict[str, Any], content: str, digest: re.Pattern[str] = _DIGEST) -> Iterator[str]:
    """The faults of a map from digests to content paths."""
    folded = [key.lower() for key in block]
    if len(set(folded)) < len(folded):
        yield f"{what} has a digest twice"
    seen: set[str] = set()
    for key, paths in block.items():
        if not digest.fullmatch(key):
            yield f"{what} has {key[:20]!r}, which is no digest"
        if not isinstance(paths, list) or not paths or not all(isinstance(path, str) for path in paths):
            yield f"{what} has no list of paths for {key[:20]!r}"
            continue
        for path in paths:
            yield from _content_path(what, path, content)
        seen.update(paths)
    yield from _conflicts(what, [path for paths in block.values() if isinstance(paths, list) for path in paths])


def _content_path(what: str, path: str, content: str) -> Iterator[str]:
    parts = path.split("/")
    if not _safe(path) or len(parts) < 3 or not _VERSION.fullmatch(parts[0]) or parts[1] != content:
        yield f"{what} has {path[:80]!r}, which is no path of a content"


def _versions(document: dict[str, Any]) -> Iterator[str]:
    versions = document["versions"]
    wanted = {f"v{number}" for number in range(1, len(versions) + 1)}
    if set(versions) != wanted:
        yield "the versions are not numbered v1, v2, …"
        return
    if document["head"] != f"v{len(versions)}":
        yield "head is not the newest version"
    known = {digest.lower() for digest in document["manifest"]}
    used: set[str] = set()
    for name, version in versions.items():
        yield from _version(name, version, known, used)
    if not known <= used:
        yield "the manifest has contents that no version has"


def _version(name: str, version: object, known: set[str], used: set[str]) -> Iterator[str]:
    if not isinstance(version, dict) or not isinstance(version.get("state"), dict):
        yield f"{name} has no state"
        return
    if set(version) - _VERSION_KEYS:
        yield f"{name} has unknown keys"
    if not _is_time(version.get("created")):
        yield f"{name} has no time with its zone in created"
    if not isinstance(version.get("message", ""), str):
        yield f"the message of {name} is no text"
    user = version.get("user", {"name": "-"})
    if (
        not isinstance(user, dict)
        or not isinstance(user.get("name"), str)
        or not isinstance(user.get("address", ""), str)
    ):
        yield f"the user of {name} has no name"
    yield from _state(name, version["state"], known, used)


def _state(name: str, state: dict[str, Any], known: set[str], used: set[str]) -> Iterator[str]:
    paths: list[str] = []
    for digest, found in state.items():
        used.add(digest.lower())
        if digest.lower() not in known:
            yield f"{name} has the digest {digest[:20]!r}, which the manifest lacks"
        if not isinstance(found, list) or not all(isinstance(path, str) for path in found):
            yield f"{name} has no list of paths for {digest[:20]!r}"
            continue
        paths += found
    for path in paths:
        if not _safe(path):
            yield f"{name} has {path[:80]!r}, which is no path of a file"
    yield from _conflicts(name, paths)


def _fixity(fixity: dict[str, Any], content: str) -> Iterator[str]:
    for algorithm, block in fixity.items():
        if not isinstance(block, dict):
            yield f"the fixity block {algorithm[:40]!r} is of the wrong type"
            continue
        yield from _block(f"the fixity block {algorithm[:40]!r}", block, content, re.compile(r"[0-9a-fA-F]{8,128}"))


def _conflicts(what: str, paths: list[str]) -> Iterator[str]:
    """A path that is there twice, or that is the folder of another one."""
    names = [path for path in paths if isinstance(path, str)]
    files = set(names)
    if len(files) < len(names):
        yield f"{what} has a path twice"
    for path in sorted(files):
        parts = path.split("/")
        if any("/".join(parts[:end]) in files for end in range(1, len(parts))):
            yield f"{what} has {path[:80]!r} below a file"


def _safe(path: str) -> bool:
    return all(part not in ("", ".", "..") for part in path.split("/")) and "\\" not in path and path.isprintable()


def _is_time(value: object) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False
