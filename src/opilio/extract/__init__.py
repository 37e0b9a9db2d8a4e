"""Bytes in; title, meta tags, links, text and language out, in one parse. No I/O but the pipe to a helper process."""

from opilio.extract.extracted import EXTRACTOR_VERSION, Extracted, Heading, Meta
from opilio.extract.extraction import extract, extract_async
from opilio.extract.links import Link, LinkKind
from opilio.extract.options import Options
from opilio.extract.page_types import PageType
from opilio.extract.pool import HelperLimits, HelperPool

__all__ = [
    "EXTRACTOR_VERSION",
    "Extracted",
    "Heading",
    "HelperLimits",
    "HelperPool",
    "Link",
    "LinkKind",
    "Meta",
    "Options",
    "PageType",
    "extract",
    "extract_async",
]
