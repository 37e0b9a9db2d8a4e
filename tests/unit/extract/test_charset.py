"""Which charset a body is written in."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.extract import extract
from opilio.extract.charset import Charset, decide, decode
from opilio.extract.charset_labels import MULTIBYTE, NAMES, SINGLE_BYTE, name_of
from opilio.extract.meta_prescan import prescan
from tests.servers.charsets import VARIANTS
from tests.unit.extract.pages import URL


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_reader_sees_the_words(variant):
    """However a page is written and declared, its words are read."""
    content_type = "text/html" + (f"; charset={variant.header}" if variant.header else "")
    found = extract(variant.body, url=URL, content_type=content_type)
    assert found.title == "§ 5: 12° ± 1, 3 × 4 ÷ 2"
    assert " ".join(variant.words.split()) in found.text


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b'<meta charset="koi8-r">', "KOI8-R"),
        (b"<META CHARSET = 'Latin1' >", "windows-1252"),
        (b"<meta charset=utf-16le>", "UTF-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<meta charset=nonsense><meta charset=gbk>", "GBK"),
        (b"<meta http-equiv=content-type content='text/html; charset=big5'>", "Big5"),
        (b"<meta content='text/html; charset=big5' http-equiv=content-type>", "Big5"),
        (b"<meta content='text/html; charset=big5'>", None),
        (b"<meta http-equiv=refresh content='text/html; charset=big5'>", None),
        (b"<!-- <meta charset=gbk> --><meta charset=sjis>", "Shift_JIS"),
        (b"<!-->--><meta charset=sjis>", "Shift_JIS"),
        (b"<p title='<meta charset=gbk>'><meta charset=sjis>", "Shift_JIS"),
        (b"<title>charset</title>", None),
        (b"<metax charset=gbk>", None),
        (b"<meta charset", None),
        (b"<meta charset='gbk", None),
        (b"<meta charset=gbk charset=sjis>", "GBK"),
        (b"<meta/charset=gbk>", "GBK"),
        (b"<?xml version='1.0' x='>'?><meta charset=gbk>", "GBK"),
        (b" " * 1010 + b"<meta charset=gbk>", None),
    ],
)
def test_prescan(head, expected):
    """The prescan of the first 1,024 bytes follows the standard."""
    assert prescan(head) == expected


@pytest.mark.parametrize(
    ("label", "name"),
    [("latin1", "windows-1252"), (" UTF8\n", "UTF-8"), ("ISO-8859-9", "windows-1254"), ("hz-gb-2312", "replacement"),
     ("x-x-big5", "Big5"), ("cp65001", None), ("utf-7", None), ("", None)],
)  # fmt: skip
def test_labels(label, name):
    """Labels mean what the Encoding standard says, and no others exist."""
    assert name_of(label) == name


def test_every_name_can_be_decoded():
    """Each encoding of the table decodes every byte to something."""
    assert len(NAMES) == 228
    for name in set(NAMES.values()):
        text = decode(bytes(range(256)) * 2, Charset(name=name, source="http"))
        assert text
        text.encode("utf-8")
    for codec in (*MULTIBYTE.values(), *SINGLE_BYTE.values()):
        codecs.lookup(codec)


def test_bytes_that_windows_leaves_open_are_controls():
    """The standard reads 0x81 in windows-1252 as U+0081, not as an error."""
    assert decode(b"\x80\x81\x9d", Charset(name="windows-1252", source="http")) == "€\x81\x9d"


@pytest.mark.parametrize(
    ("body", "content_type", "name", "source"),
    [
        (b"\xef\xbb\xbfx", "text/html; charset=gbk", "UTF-8", "bom"),
        (b"plain", "", "UTF-8", "utf-8"),
        ("naïve café".encode("latin-1"), "", "windows-1252", "fallback"),
        (
            "Съешь ещё этих мягких французских булок, да выпей чаю. ".encode("cp1251") * 4,
            "",
            "windows-1251",
            "detected",
        ),
        ("收割机在田里工作。".encode("gb18030") * 8, "", "gb18030", "detected"),
        ("<p>hi</p>".encode("utf-16-le"), "", "UTF-8", "utf-8"),
        ("<p>hé</p>".encode("utf-16-le"), "", "UTF-16LE", "detected"),
        (b"<meta charset=utf-8>caf\xe9", "text/html; charset=iso-8859-1", "windows-1252", "http"),
        (b"<meta charset=utf-8>caf\xc3\xa9", "text/html; charset=iso-8859-1", "UTF-8", "bytes"),
        (b"<meta charset=windows-1252>caf\xe9", "text/html; charset=utf-8", "windows-1252", "bytes"),
        (b"<?xml version='1.0' encoding='KOI8-R'?><html>\xc1", "", "KOI8-R", "meta"),
    ],
)
def test_decisions(body, content_type, name, source):
    """BOM, header, document, strict UTF-8, detector and fallback, in this order; contradictions go to the bytes."""
    assert decide(body, content_type=content_type) == Charset(name=name, source=source)


@given(st.binary(max_size=200), st.sampled_from(sorted(set(NAMES.values()))))
def test_decoding_never_fails(body, name):
    """Any bytes in any encoding become text that can be stored."""
    decode(body, Charset(name=name, source="http")).encode("utf-8")


@given(st.binary(max_size=300))
def test_a_charset_is_always_found(body):
    """There is a decision for any bytes."""
    assert decide(body).name in set(NAMES.values())
    prescan(b"<meta charset " + body)
