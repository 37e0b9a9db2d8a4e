"""The token by which a node knows its publisher."""

import pytest

from opilio.kernel.errors import InvalidInput, Missing
from opilio.works.node_token import make_token, read_token


def test_a_token_is_made_once(tmp_path):
    """The second attempt leaves the first token; only its owner can read it."""
    path = tmp_path / "secrets" / "node_token"
    assert read_token(path, needed=False) == ""
    with pytest.raises(Missing, match="opilio node token"):
        read_token(path)
    assert make_token(path)
    token = read_token(path)
    assert not make_token(path)
    assert read_token(path) == token
    assert len(token) >= 40
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "text", [b"", b"short", b"two words in one line", b"\xff" * 40, b"x" * 2_000, "ü".encode() * 30]
)
def test_a_weak_token_is_refused(tmp_path, text):
    """The message names the file, not the token."""
    (tmp_path / "token").write_bytes(text)
    with pytest.raises(InvalidInput) as told:
        read_token(tmp_path / "token")
    assert told.value.where == str(tmp_path / "token")
