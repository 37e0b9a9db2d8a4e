"""The story of one URL in words, one line for each fact."""

from typing import Any

from opilio.kernel.capture import Hop

_NAMES = {"milliseconds": "took", "path": "hops", "robots_line": "line of robots.txt", "robots_txt": "robots.txt"}
_HOPS = {hop.value: hop.name.lower() for hop in Hop}
_LISTS = ("ways", "parents", "scope")


def facts(story: dict[str, Any]) -> list[tuple[str, object]]:
    """The story as lines: what it is, how it was reached, what the scope says."""
    told = [
        (_NAMES.get(name, name.replace("_", " ")), _worded(name, value))
        for name, value in story.items()
        if name not in _LISTS and value is not None
    ]
    told += [("reached from", _way(way)) for way in story.get("ways", ())]
    told += [("linked from", parent) for parent in story.get("parents", ())]
    told += [("scope", _verdict(verdict)) for verdict in story.get("scope", ())]
    return told


def _worded(name: str, value: Any) -> object:
    if name == "milliseconds":
        return f"{value:,} ms"
    if name == "size":
        return f"{value:,} bytes"
    if name == "path":
        return ", then ".join(_HOPS.get(letter, letter) for letter in value)
    return value


def _way(way: dict[str, Any]) -> str:
    embeds = f" and {_number(way['embed_hops'], 'embed')}" if way["embed_hops"] else ""
    return f"the seed {way['seed']}, {_number(way['depth'], 'link')}{embeds} away"


def _verdict(verdict: dict[str, Any]) -> str:
    word = "admits it" if verdict["accepted"] else "denies it"
    reason = f": {verdict['reason']}" if verdict["reason"] else ""
    return f"from the seed {verdict['seed']}, the rule {verdict['rule']} {word}{reason}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
