"""What the `rel` of a link element or a Link header makes of its target."""

from opilio.extract.links import LinkKind

_EMBEDDED = frozenset(
    [
        "stylesheet",
        "icon",
        "shortcut",
        "apple-touch-icon",
        "apple-touch-icon-precomposed",
        "mask-icon",
        "preload",
        "modulepreload",
        "prefetch",
        "apple-touch-startup-image",
        "fluid-icon",
    ]
)
#: Hints about hosts, and identifiers that are no resource.
_NOTHING = frozenset(["dns-prefetch", "preconnect", "profile", "pingback", "webmention"])


def kind_of_rel(rel: str) -> LinkKind | None:
    """The kind of link that a lower-case `rel` makes; None when there is nothing to fetch."""
    words = frozenset(rel.split())
    if "manifest" in words:
        return LinkKind.MANIFEST
    if words & _EMBEDDED:
        return LinkKind.EMBED
    return None if words and words <= _NOTHING else LinkKind.LINK
