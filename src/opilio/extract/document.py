"""What a PDF or office file gives: a title, a text, links and what went wrong."""

from dataclasses import dataclass

from opilio.extract.extracted import Meta
from opilio.extract.links import Reference


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """The readable part of a file that is not text."""

    title: str = ""
    language: str = ""
    metas: tuple[Meta, ...] = ()
    references: tuple[Reference, ...] = ()
    text: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""  # why nothing could be read
