"""Labelled digests: written, read, compared."""

import base64
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.kernel.digests import Algorithm, Digest, Hasher, digest_of, digest_of_stream, parse_digest, verify
from opilio.kernel.errors import Damaged, InvalidInput

EMPTY = {
    Algorithm.MD5: "md5:d41d8cd98f00b204e9800998ecf8427e",
    Algorithm.SHA1: "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
    Algorithm.SHA256: "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
}


@pytest.mark.parametrize(("algorithm", "expected"), EMPTY.items())
def test_known_values(algorithm, expected):
    """The digests of nothing are the published ones."""
    assert str(digest_of(b"", algorithm)) == expected


@given(st.sampled_from(list(Algorithm)), st.binary())
def test_base32_is_that_of_the_standard_library(algorithm, data):
    """Both ways, for every length of digest."""
    digest = digest_of(data, algorithm)
    expected = base64.b32encode(digest.value).decode().rstrip("=")
    assert digest.base32 == f"{algorithm}:{expected}"
    assert parse_digest(f"{algorithm}:{expected.lower()}") == digest


@pytest.mark.parametrize("sign", ["0", "1", "8", "_", " ", "+", "é"])
def test_base32_has_no_other_signs(sign):
    """Not those either that Python reads in a number."""
    with pytest.raises(InvalidInput):
        parse_digest(f"sha1:{'A' * 15}{sign}{'A' * 16}")


def test_base32_as_in_warc_files():
    """The base32 form is the one that WARC files carry for an empty payload."""
    assert digest_of(b"", Algorithm.SHA1).base32 == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"


@given(st.binary(max_size=300), st.sampled_from(Algorithm))
def test_every_written_form_is_read_again(data, algorithm):
    """Hex and base32, in any case, come back as the same value."""
    digest = digest_of(data, algorithm)
    for form in (str(digest), str(digest).upper(), digest.base32, digest.base32.lower(), digest.base32 + "===="):
        assert parse_digest(form) == digest


@given(st.lists(st.binary(max_size=50), max_size=8))
def test_streaming_gives_the_same(parts):
    """Bytes fed in parts have the digest of the whole."""
    hasher = Hasher(Algorithm.SHA512)
    for part in parts:
        hasher.update(part)
    whole = b"".join(parts)
    assert (
        hasher.digest() == digest_of(whole, Algorithm.SHA512) == digest_of_stream(io.BytesIO(whole), Algorithm.SHA512)
    )
    assert hasher.size == len(whole)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sha256",
        "sha256:",
        "sha256:zz",
        "crc32:00000000",
        ":00",
        "sha1:" + "g" * 40,
        "sha1:" + "1" * 32,
        "md5:" + "0" * 31,
        "sha1:" + "0 " * 20,
        None,
        b"md5:00",
    ],
)
def test_what_is_no_digest(text):
    """Unknown labels, wrong lengths and wrong characters are refused with a reason."""
    with pytest.raises(InvalidInput) as caught:
        parse_digest(text)
    assert caught.value.remedy


def test_the_value_must_have_the_size_of_its_algorithm():
    """A digest that was cut is not a digest."""
    with pytest.raises(InvalidInput, match="20 bytes"):
        Digest(Algorithm.SHA1, b"short")


def test_comparing():
    """Digests of different algorithms never match, however their bytes look."""
    assert digest_of(b"a").matches(digest_of(b"a"))
    assert not digest_of(b"a").matches(digest_of(b"b"))
    assert not digest_of(b"a").matches(digest_of(b"a", Algorithm.SHA512))


def test_verifying_names_the_place():
    """Changed content is reported with both digests and the place."""
    verify(io.BytesIO(b"kept"), digest_of(b"kept"), where="a.warc.gz")
    with pytest.raises(Damaged, match=r"a\.warc\.gz") as caught:
        verify(io.BytesIO(b"changed"), digest_of(b"kept"), where="a.warc.gz")
    assert str(digest_of(b"kept")) in str(caught.value)
