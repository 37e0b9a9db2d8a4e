"""Paths on a partner's server: always below the base, never by a name that leads out of it."""

from opilio.deliveries.errors import NotAtSource


def joined(base: str, path: str) -> str:
    """A path below the base; every part must be a plain name."""
    parts = path.split("/") if path else []
    for part in parts:
        if part in ("", ".", "..") or any(character in part for character in "\r\n\0"):
            raise NotAtSource(f"{path!r} is no path below the base of the source")
    stem = base.rstrip("/")
    return "/".join([stem, *parts]) if parts else (stem or "/")


def plain(name: str) -> bool:
    """Whether a name from a server's list can be a file in the folder that was listed."""
    return bool(name) and name not in (".", "..") and not any(character in name for character in "/\\\r\n\0")
