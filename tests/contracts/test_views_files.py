"""What becomes of the file of the views when things go wrong: kill -9, damage, other files, other versions."""

import random
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from opilio.search.views.errors import DamagedViews, NewerViews, NotViews, NoViews
from opilio.search.views.questions import word
from opilio.search.views.reader import Views
from tests.unit.search.views import brute

_PAGES = {f"https://a.example/{number}": f"cat dog{number % 7} the bird " * 40 for number in range(300)}
_BUILDER = """
import sys, pathlib
from tests.unit.search.views import brute
print("begun", flush=True)
while True:
    pages = {f"https://a.example/{number}": f"fish{number} the cat " * 40 for number in range(400)}
    brute.build(pathlib.Path(sys.argv[1]), pages, {url: {"https://a.example/": 1} for url in pages})
"""


@pytest.fixture
def path(tmp_path):
    """Finished views."""
    brute.build(tmp_path / "views.db", _PAGES)
    return tmp_path / "views.db"


def test_kill_leaves_whole_views(path):
    """At whatever moment a build is killed, the file is the earlier one or the new one, whole."""
    for moment in random.Random(7).sample(range(300), 5):
        process = subprocess.Popen([sys.executable, "-c", _BUILDER, str(path)], stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"begun\n"
        time.sleep(moment / 1000)  # the moment is the point here
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        with Views(path) as views:
            pages = {views.frequency(views.word("cat").id).distinct, sum(1 for _ in views.pages())}
            assert pages in ({300}, {400, 401})
            assert sqlite3.connect(path).execute("PRAGMA quick_check").fetchone() == ("ok",)


def test_what_is_not_there(tmp_path):
    """There are no views before the first build."""
    with pytest.raises(NoViews):
        Views(tmp_path / "views.db")


@pytest.mark.parametrize("content", [b"", b"hello" * 1000, b"SQLite format 3\0" + b"\xff" * 4_000])
def test_other_files_are_refused(tmp_path, content):
    """Files that hold something else are named as such."""
    path = tmp_path / "views.db"
    path.write_bytes(content)
    with pytest.raises((NotViews, DamagedViews)) as caught:
        Views(path)
    assert caught.value.where == str(path)
    with pytest.raises((NotViews, DamagedViews)):
        brute.build(tmp_path / "new.db", _PAGES, earlier=path)
    assert list(tmp_path.iterdir()) == [path]


def test_another_database_is_refused(tmp_path):
    """An SQLite file of another program holds no views."""
    connection = sqlite3.connect(tmp_path / "views.db")
    connection.execute("CREATE TABLE page (id)")
    connection.close()
    with pytest.raises(NotViews):
        Views(tmp_path / "views.db")


def test_another_version_is_refused(path):
    """The error says which version it is and what to do."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(NewerViews, match="99") as caught:
        Views(path)
    assert caught.value.remedy


def test_a_build_that_did_not_end_is_refused(path):
    """Views without their last entry are damaged."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DELETE FROM meta WHERE name = 'finished'")
    connection.close()
    with pytest.raises(DamagedViews, match="never finished"):
        Views(path)


@pytest.mark.parametrize(
    "data", [b"", b"\x00", b"\x07abc", b"\x01abc", b"\x00\x80", b"\x00\x05\x01", b"\x00\x01\x01\x09\x01"]
)
def test_damaged_rows_are_named(path, data):
    """Bytes that nobody wrote are told as damage, with the file."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("UPDATE word_pages SET data = ?", (data,))
    connection.close()
    with Views(path) as views, pytest.raises(DamagedViews) as caught:
        word(views, "cat")
    assert caught.value.where == str(path)


def test_random_damage_is_never_a_crash(path):
    """Whatever bytes are changed, the answer is an answer or an error of ours."""
    whole, dice = path.read_bytes(), random.Random(3)
    for _ in range(30):
        broken = bytearray(whole)
        for _ in range(20):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        path.write_bytes(broken)
        try:
            with Views(path) as views:
                word(views, "cat")
                views.words_of(3)
                list(views.all_pages_of_words())
        except (DamagedViews, NotViews, NewerViews):
            continue
