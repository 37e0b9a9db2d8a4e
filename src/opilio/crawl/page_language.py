"""The language of a page: what it declares, else what its header says, else what its text looks like, if wanted."""

import re
from collections.abc import Callable
from importlib import import_module

from opilio.extract.extracted import Extracted
from opilio.extract.page_types import PageType

#: A language tag in the shape of BCP 47; what has another shape is no language.
_TAG = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")
_LONGEST = 35  # characters
_WITH_TEXT = frozenset({PageType.HTML, PageType.TEXT, PageType.PDF, PageType.OFFICE, PageType.FEED})


class PageLanguage:
    """Tells languages for one worker."""

    def __init__(self, *, detect: bool = False) -> None:
        self._detected = _detector() if detect else None

    def of(self, page: Extracted, header: str) -> str:
        """The tag, such as en-GB; empty when nothing tells it. `header` is Content-Language."""
        found = tag(page.language) or (tag(header) if page.page_type in _WITH_TEXT else "")
        if found or self._detected is None or page.page_type not in _WITH_TEXT:
            return found
        return self._detected(page.main_text)


def tag(words: str) -> str:
    """A declared language as a tag with hyphens; empty when it is none, or several."""
    given = words.strip().replace("_", "-")
    return given if len(given) <= _LONGEST and _TAG.fullmatch(given) else ""


def _detector() -> Callable[[str], str]:
    """Loaded by name, when a plan asks for it: its model takes most of a second and 100 MB."""
    found: Callable[[str], str] = import_module("opilio.extract.language").detected_language
    return found
