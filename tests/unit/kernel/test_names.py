"""Hostile names become safe ones; paths stay inside their folder."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.kernel.errors import BadName
from opilio.kernel.names import LONGEST, inside, safe_name

HOSTILE = [
    "",
    ".",
    "..",
    "...",
    " ",
    "/",
    "../../etc/passwd",
    "..\\..\\windows",
    "/absolute",
    "C:\\x",
    "a\x00b",
    "a\nb",
    "a\u202egpj.exe",
    "a\u200bb",
    "con",
    "NUL.txt",
    "COM1",
    "-rf",
    "~root",
    ".hidden",
    "trailing.",
    "trailing ",
    "a?b*c:d|e<f>g",
    "\ud800",
    "e\u0301",
    "x" * 5_000,
    "ü" * 200,
    "name~aaaaaaaaaaaaaaaa",
    "name~aaaaaaaaaaaaaaaa.warc.gz",
]
ANY_TEXT = st.text(
    alphabet=st.one_of(st.characters(), st.characters(codec=None), st.sampled_from("./\\~-: ")), max_size=300
)


def check(name):
    assert name
    assert len(name.encode()) <= LONGEST
    assert not set(name) & set('<>:"/\\|?*')
    assert name not in (".", "..")
    assert name[0] not in ".-~ "
    assert name[-1] not in ". "
    assert name.isprintable()
    assert unicodedata.is_normalized("NFC", name)
    assert name.partition(".")[0].lower() not in {"con", "prn", "aux", "nul", "com1", "lpt9"}


@pytest.mark.parametrize(
    "name", ["report.pdf", "IMG 0001.JPG", "größe.txt", "日本語.html", "a-b_c(1).tar.gz", "x" * LONGEST]
)
def test_good_names_stay(name):
    """A name that harms nobody is kept as it is."""
    assert safe_name(name) == name


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_changed(name):
    """A hostile name becomes a safe one that carries a mark."""
    found = safe_name(name)
    assert found != name
    assert "~" in found
    check(found)


@given(ANY_TEXT)
def test_every_name_becomes_safe(name):
    """Whatever the name, the result is safe and always the same."""
    check(safe_name(name))
    assert safe_name(name) == safe_name(name)


@given(st.lists(ANY_TEXT, unique=True, max_size=20))
def test_names_never_meet(names):
    """Different names stay different."""
    assert len({safe_name(name) for name in names}) == len(names)


def test_a_made_name_cannot_be_claimed():
    """Giving the made name of another file yields a third name."""
    made = safe_name("a/b.txt")
    assert safe_name(made) != made


def test_the_extension_survives():
    """A long or changed name keeps its short extension, so that programs still know the type."""
    assert safe_name("x" * 500 + ".pdf").endswith(".pdf")
    assert safe_name("a/b.tar.gz").startswith("a_b.tar~")


@pytest.mark.parametrize("wrong", [None, b"name", 7])
def test_only_text_is_a_name(wrong):
    """Bytes and numbers are refused with their type."""
    with pytest.raises(BadName, match=type(wrong).__name__):
        safe_name(wrong)


@pytest.mark.parametrize("name", ["a", "a/b/c.txt", "./a", "a//b", "a b", "..a/b..", "größe"])
def test_paths_inside(tmp_path, name):
    """A relative name gives a path below the folder."""
    assert inside(tmp_path, name).is_relative_to(tmp_path.resolve())


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "./",
        "..",
        "../a",
        "a/../../b",
        "a/..",
        "/etc/passwd",
        "//a",
        "a\\b",
        "..\\a",
        "C:a",
        "c:/a",
        "a\x00b",
        "a\nb",
        "a\u202eb",
        "x" * 5000,
        "\ud800",
        None,
        b"a",
    ],
)
def test_paths_that_leave(tmp_path, name):
    """Whatever is absolute, climbs up or hides something is refused."""
    with pytest.raises(BadName, match="does not stay inside"):
        inside(tmp_path, name)


def test_links_that_leave(tmp_path):
    """A symbolic link out of the folder is refused, one inside it is followed."""
    root = tmp_path / "root"
    (root / "real").mkdir(parents=True)
    (root / "out").symlink_to(tmp_path)
    (root / "dangling").symlink_to(tmp_path / "nothing")
    (root / "near").symlink_to(root / "real")
    for name in ("out", "out/a", "dangling"):
        with pytest.raises(BadName):
            inside(root, name)
    assert inside(root, "near/a") == (root / "real" / "a").resolve()


def test_a_loop_of_links(tmp_path):
    """Links that go in a circle lead nowhere."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(BadName):
        inside(tmp_path, "a/file")


def test_the_folder_must_be_there(tmp_path):
    """Below a missing folder nothing can be inside."""
    with pytest.raises(BadName):
        inside(tmp_path / "missing", "a")
