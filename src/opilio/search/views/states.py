"""What the views know of a page."""

from enum import IntEnum


class PageState(IntEnum):
    """Whether a page was fetched."""

    GONE = 0  # it was there before; only its id is kept
    FOUND = 1  # its URL is known
    FETCHED = 2  # its words are known
