"""The same words in many charsets, declared in many ways; `VARIANTS` says what a reader must see.

`SHARED` can be written in every charset here, so one sentence is on all pages; `words` adds what the charset is for.
"""

from dataclasses import dataclass

from tests.servers.answers import Response
from tests.servers.behaviour import Behaviour, Visit

SHARED = "§ 5: 12° ± 1, 3 × 4 ÷ 2"
WESTERN = "Mähdrescher naïve façade Ærø"
QUOTED = "“Mähdrescher” – 5 €"
JAPANESE = "収穫 コンバイン"
CHINESE = "联合收割机"
EVERYTHING = f"{QUOTED} {JAPANESE} {CHINESE} 🌾"


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One page: how it is written and what it says about itself."""

    name: str
    summary: str
    encoding: str  # Python's name of what the bytes really are
    words: str
    header: str | None = None  # charset in Content-Type
    meta: str = ""  # markup in the head
    bom: bytes = b""
    damage: bytes = b""  # put behind the words as it is

    @property
    def text(self) -> str:
        """The markup, without damage."""
        return (
            f"<!DOCTYPE html>\n<html><head>{self.meta}<title>{SHARED}</title></head>\n"
            f"<body><p>{SHARED}</p>\n<p>{self.words}</p>\n</body></html>\n"
        )

    @property
    def body(self) -> bytes:
        """The bytes of the page."""
        data = self.text.encode(self.encoding)
        return self.bom + data.replace(b"</body>", self.damage + b"</body>") if self.damage else self.bom + data


def _meta(charset: str) -> str:
    return f'<meta charset="{charset}">'


_EQUIV = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'

VARIANTS = (
    Variant(name="utf-8", summary="UTF-8, in the header.", encoding="utf-8", words=EVERYTHING, header="utf-8"),
    Variant(
        name="latin-1", summary="ISO 8859-1, in the header.", encoding="latin-1", words=WESTERN, header="ISO-8859-1"
    ),
    Variant(
        name="windows-1252",
        summary="Windows-1252, in the header.",
        encoding="cp1252",
        words=QUOTED,
        header="windows-1252",
    ),
    Variant(
        name="windows-1252-as-latin-1",
        summary="Windows-1252 that calls itself ISO 8859-1, as browsers expect.",
        encoding="cp1252",
        words=QUOTED,
        header="iso-8859-1",
    ),
    Variant(
        name="shift_jis", summary="Shift_JIS, in the header.", encoding="cp932", words=JAPANESE, header="Shift_JIS"
    ),
    Variant(name="gb18030", summary="GB 18030, in the header.", encoding="gb18030", words=EVERYTHING, header="gb18030"),
    Variant(
        name="utf-16-le",
        summary="UTF-16, little-endian by its BOM.",
        encoding="utf-16-le",
        words=EVERYTHING,
        bom=b"\xff\xfe",
    ),
    Variant(
        name="utf-16-be",
        summary="UTF-16, big-endian by its BOM; the header says UTF-8.",
        encoding="utf-16-be",
        words=EVERYTHING,
        bom=b"\xfe\xff",
        header="utf-8",
    ),
    Variant(
        name="utf-8-bom", summary="UTF-8 by its BOM alone.", encoding="utf-8", words=EVERYTHING, bom=b"\xef\xbb\xbf"
    ),
    Variant(
        name="meta",
        summary="Shift_JIS, in a meta element only.",
        encoding="cp932",
        words=JAPANESE,
        meta=_meta("shift_jis"),
    ),
    Variant(
        name="http-equiv",
        summary="Windows-1252, in a http-equiv element only.",
        encoding="cp1252",
        words=QUOTED,
        meta=_EQUIV,
    ),
    Variant(
        name="contradiction",
        summary="UTF-8 as the header says; the meta element says ISO 8859-1.",
        encoding="utf-8",
        words=EVERYTHING,
        header="utf-8",
        meta=_meta("iso-8859-1"),
    ),
    Variant(
        name="header-lies",
        summary="UTF-8 as the meta element says; the header says ISO 8859-1.",
        encoding="utf-8",
        words=EVERYTHING,
        header="iso-8859-1",
        meta=_meta("utf-8"),
    ),
    Variant(name="undeclared-utf-8", summary="UTF-8 without any declaration.", encoding="utf-8", words=EVERYTHING),
    Variant(
        name="undeclared-western", summary="Windows-1252 without any declaration.", encoding="cp1252", words=QUOTED
    ),
    Variant(
        name="undeclared-japanese", summary="Shift_JIS without any declaration.", encoding="cp932", words=JAPANESE * 20
    ),
    Variant(
        name="invalid-utf-8",
        summary="UTF-8 with stray, overlong and cut bytes.",
        encoding="utf-8",
        words=EVERYTHING,
        header="utf-8",
        damage=b"<p>\xff\xfe \xc0\xaf \xed\xa0\x80 \xe2\x82</p>",
    ),
    Variant(
        name="unknown",
        summary="UTF-8 with a charset nobody knows.",
        encoding="utf-8",
        words=EVERYTHING,
        header="x-sheaf",
    ),
    Variant(
        name="quoted", summary="UTF-8, in quotes and upper case.", encoding="utf-8", words=EVERYTHING, header='"UTF-8"'
    ),
)


def _behaviour(variant: Variant) -> Behaviour:
    content_type = "text/html" + (f"; charset={variant.header}" if variant.header else "")

    def answer(_: Visit) -> Response:
        return Response(body=variant.body, type=content_type)

    return Behaviour(
        name=f"charset-{variant.name}", path=f"/charset/{variant.name}", answer=answer, summary=variant.summary
    )


BEHAVIOURS = tuple(_behaviour(variant) for variant in VARIANTS)
