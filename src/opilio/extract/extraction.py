"""The entry: bytes in, everything a resource gives out. Reads here what may be read here, the rest in a helper process.

Bodies are content-decoded (gzip and the like undone). Nothing a resource holds raises; only a URL that is none does.
"""

from collections.abc import Callable
from dataclasses import replace

from opilio.extract.extracted import Extracted
from opilio.extract.options import DEFAULTS, Options
from opilio.extract.page_types import PageType
from opilio.extract.pool import HelperPool
from opilio.extract.reading import Resource, helper_needed, read_here, unparsable

#: Names the language of a text, or returns an empty text; `language.detected_language` is one.
Detector = Callable[[str], str]


def extract(
    body: bytes,
    *,
    url: str,
    content_type: str = "",
    options: Options = DEFAULTS,
    expect: PageType | None = None,
    pool: HelperPool | None = None,
    detect: Detector | None = None,
) -> Extracted:
    """Read a resource, and wait for the helper process if it needs one; without a pool it is `unparsable` then."""
    resource = Resource(body=body, url=url, content_type=content_type, options=options, expect=expect)
    reason = helper_needed(resource)
    if not reason:
        return _with_language(read_here(resource), detect)
    if pool is None:
        return unparsable(resource, reason)
    return _with_language(pool.run(resource), detect)


async def extract_async(
    body: bytes,
    *,
    url: str,
    pool: HelperPool,
    content_type: str = "",
    options: Options = DEFAULTS,
    expect: PageType | None = None,
    detect: Detector | None = None,
) -> Extracted:
    """The same without blocking the event loop while a helper process works."""
    resource = Resource(body=body, url=url, content_type=content_type, options=options, expect=expect)
    if not helper_needed(resource):
        return _with_language(read_here(resource), detect)
    return _with_language(await pool.read(resource), detect)


def _with_language(found: Extracted, detect: Detector | None) -> Extracted:
    """A language is detected only where none is declared."""
    if detect is None or found.language or not found.text:
        return found
    language = detect(found.main_text or found.text)
    return replace(found, language=language, language_source="detected") if language else found
