"""What kind of thing a page is, by its MIME type; and which kinds and MIME types a person means by a word."""

from typing import Final, NamedTuple

from opilio.extract.page_types import ALIASES, EXTENSIONS, FAMILIES, MIME_TYPES, PageType

_KINDS: Final = frozenset(kind.word for kind in PageType)
_ALSO: Final = {"document": "office", "news": "feed", "picture": "image", "photo": "image", "plain": "text"}


class Kinds(NamedTuple):
    """Kinds and MIME types, of which a page must have one."""

    kinds: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


def kind_of(mime: str, page_type: str = "") -> str:
    """The kind: what extraction found, or what the MIME type says."""
    if page_type in _KINDS:
        return page_type
    if mime in MIME_TYPES:
        return EXTENSIONS[MIME_TYPES[mime]][0].word
    return FAMILIES.get(mime.partition("/")[0], PageType.OTHER).word


def meant_by(value: str) -> Kinds:
    """What `type:value` asks for: a kind (pdf, image), an extension (docx) or a MIME type (text/html)."""
    word = value.lower().lstrip(".")
    if "/" in word:
        return Kinds(types=(word,)) if not word.endswith("/*") else Kinds(kinds=_family(word))
    word = _ALSO.get(word, word)
    if word in _KINDS:
        return Kinds(kinds=(word,))
    found = EXTENSIONS.get(ALIASES.get(word, word))
    return Kinds(types=found[1]) if found else Kinds(types=(word,))


def _family(word: str) -> tuple[str, ...]:
    kind = FAMILIES.get(word.partition("/")[0])
    return (kind.word,) if kind else ()
