"""Codings come off under limits, and a broken body yields what could be read."""

import gzip
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from opilio.crawl.fetch import head
from opilio.crawl.fetch.decode import Limits, dechunked, decoded

TEXT = b"The harbour master keeps a log of every tide. " * 500
ENCODED = {
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT),
    "deflate": zlib.compress(TEXT),
    "br": brotli.compress(TEXT),
    "zstd": zstandard.compress(TEXT),
}


@pytest.mark.parametrize("name", ENCODED)
def test_a_coding_comes_off(name):
    """Whatever its case and its place in the header."""
    assert decoded(ENCODED[name], [f" {name.upper()} "]).body == TEXT


def test_deflate_without_its_head_is_understood():
    """Servers send both forms."""
    assert decoded(zlib.compress(TEXT)[2:-4], ["deflate"]).body == TEXT


def test_several_gzip_members_are_one_body():
    """As appended files are."""
    assert decoded(ENCODED["gzip"] * 2, ["gzip"]).body == TEXT * 2


def test_codings_upon_each_other_come_off_in_turn():
    """Last applied first, also over several headers; identity is nothing."""
    assert decoded(gzip.compress(ENCODED["br"]), ["br, gzip"]).body == TEXT
    assert decoded(gzip.compress(ENCODED["br"]), ["br", "identity, gzip"]).body == TEXT


@pytest.mark.parametrize("name", ENCODED)
def test_a_cut_body_yields_its_beginning_and_the_fault(name):
    """Nothing is raised."""
    found = decoded(ENCODED[name][: len(ENCODED[name]) // 2], [name])
    assert found.fault
    assert TEXT.startswith(found.body)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd", "rot13"])
def test_what_is_not_encoded_is_said(name):
    """A mislabelled body."""
    assert decoded(TEXT, [name]).fault


def test_an_unknown_coding_leaves_the_body_as_it_is():
    """The bytes may still be useful to somebody."""
    assert decoded(TEXT, ["rot13"]).body == TEXT


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_stops_at_its_limit(name):
    """By size, and by ratio beyond the first mebibyte."""
    make = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstandard.compress}[name]
    bomb = make(bytes(6 << 20))
    assert "grows beyond" in decoded(bomb, [name], Limits(size=2 << 20)).fault
    by_ratio = decoded(bomb, [name], Limits(ratio=20))
    assert "grows beyond" in by_ratio.fault
    assert len(by_ratio.body) <= (1 << 20) + 20 * len(bomb)


def test_too_many_codings_are_refused():
    """Each multiplies the next."""
    assert decoded(b"x", ["gzip, gzip, gzip, gzip"]).fault


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "br", "zstd"]))
def test_garbage_never_raises(body, name):
    """A fault or a body."""
    decoded(body, [name])
    dechunked(body)


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=8))
def test_chunks_are_put_together(parts):
    """With extensions, capital digits and trailers."""
    wire = b"".join(b"%X;note=1\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\nTrailer: x\r\n\r\n"
    assert dechunked(wire).body == b"".join(parts)
    assert dechunked(wire).fault == ""


@pytest.mark.parametrize("wire", [b"", b"5\r\nab", b"zz\r\nab\r\n", b"5\r\nabcde\r\n", b"ffffffffffffffffff\r\nx"])
def test_broken_chunks_yield_what_there_is(wire):
    """And say what is wrong."""
    assert dechunked(wire).fault


def test_a_head_is_read_tolerantly():
    """Bare newlines, folded lines, odd case, missing colons, non-ASCII bytes."""
    raw = b"http/1.1 200\nContent-Type: text/html;\n charset=x\nbroken line\nX-Caf\xe9: \xff\n\n"
    found = head.parse(raw)
    assert (found.status, found.version) == (200, "1.1")
    assert found.get("content-type") == "text/html; charset=x"
    assert found.get("x-caf\xe9") == "\xff"


def test_the_last_status_line_counts():
    """Interim answers stand before it."""
    raw = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n"
    assert head.parse(raw).status == 200
    assert head.parse(raw).all("set-cookie") == ("a=1", "b=2")
    assert head.interim_count(raw) == 1


@given(st.binary(max_size=200))
def test_any_head_is_read_or_refused(raw):
    """Never an exception."""
    head.parse(raw)
    head.parse(b"HTTP/1.1 200 OK\r\n" + raw)
