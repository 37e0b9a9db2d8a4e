"""Directives for robots that travel with a page: the meta elements and the X-Robots-Tag header."""

import re
from collections.abc import Iterable, Mapping

EVERYBODY = "robots"  # the name under which directives for all agents are kept

_NONE = frozenset({"noindex", "nofollow"})
_AGENT = re.compile(r"\s*([A-Za-z0-9_\-]+)\s*:(.*)", re.DOTALL)
#: Directives that have a value behind a colon, so that the colon names no agent.
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_MOST = 50  # directives of one value


def directives(content: str) -> frozenset[str]:
    """The directives of one value, lower case; `none` stands for noindex and nofollow."""
    words = [word.strip().lower()[:100] for word in content.split(",")[:_MOST]]
    found = {word for word in words if word and word != "all"}
    return frozenset((found - {"none"}) | _NONE) if "none" in found else frozenset(found)


def is_agent(name: str) -> bool:
    """Whether a meta element of this lower-case name speaks to robots: `robots`, `googlebot`, `opilio`, …"""
    return name == EVERYBODY or name == "opilio" or name.endswith(("bot", "bot-news", "spider", "crawler", "slurp"))


def header_directives(values: Iterable[str]) -> dict[str, frozenset[str]]:
    """The directives of all X-Robots-Tag headers of a response, by agent."""
    found: dict[str, frozenset[str]] = {}
    for value in values:
        agent, rest = EVERYBODY, value
        named = _AGENT.match(value)
        if named and named[1].lower() not in _VALUED:
            agent, rest = named[1].lower(), named[2]
        found[agent] = found.get(agent, frozenset()) | directives(rest)
    return found


def directives_for(agent: str, given: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """What applies to an agent: the directives for everybody and those under its own name."""
    return given.get(EVERYBODY, frozenset()) | given.get(agent.lower(), frozenset())
