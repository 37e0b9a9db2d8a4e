"""Secrets are sealed under a key of mode 600, open only in their place, and tell what is missing."""

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.kernel.errors import InvalidInput
from opilio.kernel.secret_box import KEY_FILE, LONGEST, BadKeyFile, BrokenSecret, NoSecretKey, SecretBox

PLACE = "credential 17 password"


@pytest.fixture
def box(tmp_path):
    return SecretBox(tmp_path / "secrets")


def test_what_is_sealed_opens_again(box, tmp_path):
    """The sealed text holds nothing of the secret, and the key is for its owner only."""
    sealed = box.seal("pass: wört 🔑", place=PLACE)
    assert "pass" not in sealed
    assert box.open(sealed, place=PLACE) == "pass: wört 🔑"
    path = tmp_path / "secrets" / KEY_FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_the_same_secret_is_sealed_differently(box):
    """Nobody sees from sealed texts that two passwords are the same."""
    assert box.seal("same", place=PLACE) != box.seal("same", place=PLACE)


@given(text=st.text(st.characters(codec="utf-8"), max_size=200))
def test_any_text_survives(tmp_path_factory, text):
    """Whatever can be written comes back."""
    box = SecretBox(tmp_path_factory.getbasetemp() / "any")
    assert box.open(box.seal(text, place=PLACE), place=PLACE) == text


def test_a_sealed_text_does_not_open_elsewhere(box):
    """Copied to another row, or changed in one sign, it is broken."""
    sealed = box.seal("secret", place=PLACE)
    with pytest.raises(BrokenSecret):
        box.open(sealed, place="credential 18 password")
    for wrong in (f"{sealed[:-4]}AAAA", sealed[:20], "", "secret", None, f"{sealed}x"):
        with pytest.raises(BrokenSecret) as refused:
            box.open(wrong, place=PLACE)
        assert "Enter the secret anew" in refused.value.remedy


def test_without_the_key_it_says_so(box, tmp_path):
    """A lost file is named, and opening makes no new one."""
    sealed = box.seal("secret", place=PLACE)
    path = tmp_path / "secrets" / KEY_FILE
    path.unlink()
    with pytest.raises(NoSecretKey) as refused:
        box.open(sealed, place=PLACE)
    assert str(path) in str(refused.value)
    assert not path.exists()
    box.seal("another", place=PLACE)
    with pytest.raises(NoSecretKey) as refused:
        box.open(sealed, place=PLACE)
    assert sealed.split(".")[1] in refused.value.what


def test_another_key_of_that_name_does_not_open(box, tmp_path):
    """A wrong key is recognised, not used."""
    sealed = box.seal("secret", place=PLACE)
    path = tmp_path / "secrets" / KEY_FILE
    path.write_text(f"{sealed.split('.')[1]} {'A' * 42}E=\n")
    with pytest.raises(BrokenSecret):
        box.open(sealed, place=PLACE)


def test_keys_are_changed_one_after_the_other(box):
    """After a change the new key seals, the old one still opens, and old texts are known as stale."""
    old = box.seal("secret", place=PLACE)
    assert not box.stale(old)
    name = box.rotate()
    new = box.seal("secret", place=PLACE)
    assert new.split(".")[1] == name != old.split(".")[1]
    assert (box.stale(old), box.stale(new)) == (True, False)
    assert box.open(old, place=PLACE) == box.open(new, place=PLACE) == "secret"


def test_a_key_that_others_may_read_is_refused(box, tmp_path):
    """The remedy is the command to type."""
    sealed = box.seal("secret", place=PLACE)
    path = tmp_path / "secrets" / KEY_FILE
    path.chmod(0o640)
    with pytest.raises(BadKeyFile) as refused:
        box.open(sealed, place=PLACE)
    assert "chmod 600" in refused.value.remedy


@pytest.mark.parametrize(
    "content", [b"", b"# nothing\n", b"\xff\xfe", b"12345678 short\n", b"x" * 70_000, b"\n" * 70_000]
)
def test_a_file_of_something_else_is_refused(box, tmp_path, content):
    """A damaged file of keys is never replaced by a new one."""
    (tmp_path / "secrets").mkdir()
    path = tmp_path / "secrets" / KEY_FILE
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(BadKeyFile):
        box.seal("secret", place=PLACE)
    assert path.read_bytes() == content


def test_of_many_first_uses_one_makes_the_key(tmp_path):
    """Processes that begin at once use the same key."""
    boxes = [SecretBox(tmp_path / "secrets") for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        sealed = list(pool.map(lambda box: box.seal("secret", place=PLACE), boxes))
    assert len({text.split(".")[1] for text in sealed}) == 1
    assert all(boxes[0].open(text, place=PLACE) == "secret" for text in sealed)


@pytest.mark.parametrize("text", ["x" * (LONGEST + 1), "\ud800", None, b"bytes"])
def test_what_cannot_be_sealed_is_refused(box, text):
    """Endless texts, half characters and other things get a message without the secret."""
    with pytest.raises(InvalidInput):
        box.seal(text, place=PLACE)
