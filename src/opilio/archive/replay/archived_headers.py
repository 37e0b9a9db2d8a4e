"""Which headers of an archived response are served as they are, which are rewritten, and what becomes of the rest.

What would act on the browser (cookies, policies, logins, other servers' rights) is kept for people to read, as
`X-Archive-Orig-…`, and does nothing.
"""

from typing import Final

from opilio.archive.replay.archived_head import ArchivedHead
from opilio.archive.replay.messages import Header
from opilio.archive.replay.references import References
from opilio.archive.replay.refresh_rewriting import rewrite_refresh
from opilio.extract.link_header import link_header_references

#: Served as they are: they say what the content is.
_SAFE: Final = frozenset(
    ("content-language", "content-disposition", "last-modified", "x-content-type-options", "content-style-type")
)
#: Links of a header that a page needs; others would be taken for Memento's.
_NEEDED: Final = frozenset(("stylesheet", "icon"))
_PREFIX = "X-Archive-Orig-"
_MOST = 100  # headers
_LONGEST = 4_096  # characters of a value that is kept for people


def served_headers(head: ArchivedHead, references: References) -> list[Header]:
    """The headers of the archived response as replay serves them, without those about the body's form."""
    found: list[Header] = []
    for name, value in head.fields[:_MOST]:
        lower = name.lower()
        if lower in _SAFE:
            found.append((lower, value))
        elif lower == "location" and 300 <= head.status < 400:
            found.append((lower, _path(references, value)))
        elif lower == "refresh":
            found.append((lower, rewrite_refresh(_bytes(value), references.plain).decode("latin-1")))
        if lower not in _SAFE and lower != "connection":
            found.append((f"{_PREFIX}{name}", value[:_LONGEST]))
    return found


def needed_links(head: ArchivedHead, references: References) -> list[str]:
    """The Link headers without which a page looks different, rewritten."""
    found = []
    for each in link_header_references(head.values("link")):
        words = set(each.rel.split())
        if words & _NEEDED:
            rel = " ".join(sorted(words & _NEEDED))
            found.append(f'<{_path(references, each.ref)}>; rel="{rel}"')
    return found


def _path(references: References, value: str) -> str:
    """Where a reference of a header leads in replay: always a whole path, because headers have no base."""
    url = references.absolute(_bytes(value))
    if url is None:
        return "about:blank"
    return f"/{references.stamp}/{url}".replace(">", "%3E")


def _bytes(value: str) -> bytes:
    return value.encode("latin-1", "replace")
