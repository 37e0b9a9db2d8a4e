"""Files of checksums that partners put beside a delivery. Pure."""

import re

_PLAIN = re.compile(r"\\?(?P<digest>[0-9a-fA-F]{32,128})(?:[ \t]+\*?(?P<name>.+))?")
_BSD = re.compile(r"(?P<kind>MD5|SHA1|SHA256|SHA512) ?\((?P<name>.+)\) ?= ?(?P<digest>[0-9a-fA-F]{32,128})")
_KINDS = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
LARGEST = 1 << 20  # bytes of such a file


def declared(content: bytes, name: str) -> tuple[str, str] | None:
    """The kind of digest and the digest that the file gives for a name; None when it gives none that can be used."""
    lines = [line.strip() for line in content.decode("utf-8", "replace").splitlines() if line.strip()]
    for line in lines:
        found = _BSD.fullmatch(line) or _PLAIN.fullmatch(line)
        if found is None or not _about(found["name"], name, alone=len(lines) == 1):
            continue
        digest = found["digest"].lower()
        if len(digest) in _KINDS:
            return _KINDS[len(digest)], digest
    return None


def _about(said: str | None, name: str, *, alone: bool) -> bool:
    return alone if said is None else said.rpartition("/")[2] == name
