"""The list of search documents."""

import pytest

from opilio.kernel.errors import Damaged, Missing
from opilio.search.register import Entry, Register

LARGEST = (1 << 64) - 1


def entry(page, **fields):
    return Entry(page=page, url=f"https://a.example/{page}", captured=page + 0.5, **fields)


def test_documents_come_back(tmp_path):
    """By number, by URL, by family, and all in order; the last word about a page counts."""
    with Register(tmp_path / "documents.db", create=True) as register:
        register.put([entry(3, fingerprint=LARGEST), entry(1, family=1, since="g1"), entry(2, family=1)])
        register.put([entry(3, fingerprint=LARGEST, agency="a")])
        register.commit()
    with Register(tmp_path / "documents.db") as register:
        assert [each.page for each in register.entries()] == [1, 2, 3]
        assert register.entry("https://a.example/3") == entry(3, fingerprint=LARGEST, agency="a")
        assert register.numbered(1) == entry(1, family=1, since="g1")
        assert [each.page for each in register.family(1)] == [1, 2]
        assert register.numbered(9) is None
        assert register.count() == 3


def test_what_is_dropped_or_not_committed_is_gone(tmp_path):
    """Nothing half-written is read."""
    with Register(tmp_path / "documents.db", create=True) as register:
        register.put([entry(1), entry(2)])
        register.drop([1])
        register.commit()
        register.put([entry(4)])
    with Register(tmp_path / "documents.db") as register:
        assert [each.page for each in register.entries()] == [2]


def test_there_is_no_file(tmp_path):
    """The message says what is missing and where."""
    with pytest.raises(Missing, match=r"gone.*documents\.db"):
        Register(tmp_path / "documents.db")


@pytest.mark.parametrize("body", [b"", b"SQLite format 3\x00" + b"\x00" * 200, b"owls" * 1000])
def test_another_file(tmp_path, body):
    """Is refused, and not written to."""
    path = tmp_path / "documents.db"
    path.write_bytes(body)
    with pytest.raises(Damaged):
        Register(path)
    assert path.read_bytes() == body
