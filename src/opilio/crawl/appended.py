"""The URL that is asked for, where a seed adds something to each."""

from opilio.kernel.urls import canonical


def appended(url: str, added: str) -> str:
    """A canonical URL with a seed's append string; a query is added to the query that is there."""
    if not added:
        return url
    if added.startswith("?") and "?" in url:
        added = f"&{added[1:]}"
    return canonical(url + added)
