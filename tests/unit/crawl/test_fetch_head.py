"""Heads of answers: the quick way for what nearly all servers send says the same as the way for all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.crawl.fetch import head

_USUAL = b"HTTP/1.1 200 OK\r\nServer: s\r\nSet-Cookie: a=1\r\nset-cookie:b=2 \r\nX: \xe9\r\n\r\n"
_PIECES = st.sampled_from(
    [
        b"HTTP/1.1 200 OK", b"HTTP/2 404", b"http/1.0 301 ", b"HTTP/1.1 2000", b"HTTP/", b"\r\n", b"\n", b"\r", b" ",
        b"\t", b":", b"Name: value", b"NAME:\xa0value\x85", b"\x0b name \x0c: \xff ", b": no name", b"no colon",
        b"a:b:c", b"\r\n\r\n", b"\x00", b"\x1c",
    ]
)  # fmt: skip
_HEADS = st.one_of(
    st.lists(_PIECES, max_size=12).map(b"".join),
    st.lists(_PIECES, max_size=8).map(lambda lines: b"\r\n".join([b"HTTP/1.1 200 OK", *lines, b"", b""])),
    st.binary(max_size=60).map(lambda more: b"HTTP/1.1 200 " + more + b"\r\n\r\n"),
)


def in_the_way_for_all(raw, monkeypatch):
    """What `parse` says where no head is taken for a usual one."""
    with monkeypatch.context() as patch:
        patch.setattr(head, "_usual", lambda raw: False)
        return head.parse.__wrapped__(raw)


@given(raw=_HEADS)
def test_both_ways_read_the_same(raw):
    """Whatever line ends, folds, blanks and bytes there are."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert head.parse.__wrapped__(raw) == in_the_way_for_all(raw, monkeypatch)


def test_an_everyday_head_takes_the_quick_way(monkeypatch):
    """Its headers keep order, case of values and repetitions; names are lower-case."""
    monkeypatch.setattr(head, "_headers", None)  # the way for all cannot be taken
    found = head.parse.__wrapped__(_USUAL)
    assert (found.status, found.version, found.reason) == (200, "1.1", "OK")
    assert found.headers == (("server", "s"), ("set-cookie", "a=1"), ("set-cookie", "b=2"), ("x", "\xe9"))
    assert found.all("set-cookie") == ("a=1", "b=2")
    assert found.get("server") == "s"
    assert found.all("none") == ()


@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n",
        b"HTTP/1.1 200 OK\nA: b\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nA: b\r\n",
    ],
)
def test_an_odd_head_takes_the_way_for_all(raw):
    """Folds, other line ends, interim answers and torn heads are not usual."""
    assert not head._usual(raw)
    assert head.parse(raw).status == 200
