"""Files of checksums."""

import pytest

from opilio.deliveries.checksums import declared

MD5, SHA = "a" * 32, "B" * 64


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MD5, ("md5", MD5)),
        (f"{MD5}\n", ("md5", MD5)),
        (f"{MD5}  a.zip", ("md5", MD5)),
        (f"{MD5} *a.zip", ("md5", MD5)),
        (f"{MD5}  some/where/a.zip", ("md5", MD5)),
        (f"{SHA}\ta.zip\r\n", ("sha256", SHA.lower())),
        (f"SHA256 (a.zip) = {SHA}", ("sha256", SHA.lower())),
        (f"{MD5}  b.zip\n{SHA}  a.zip", ("sha256", SHA.lower())),
        (f"{MD5}  b.zip", None),
        (f"{MD5}\n{SHA}", None),
        ("a" * 33, None),
        ("nonsense", None),
        ("", None),
        ("\ufffe\0", None),
    ],
)
def test_the_digest_of_a_name(text, expected):
    """In the forms that are in use."""
    assert declared(text.encode(), "a.zip") == expected


def test_broken_bytes_declare_nothing():
    """Without an error."""
    assert declared(b"\xff\xfe\x00" * 100, "a.zip") is None
