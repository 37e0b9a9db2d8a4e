"""Files appear whole, last, and fail with a remedy."""

import errno
import os
import stat
import threading

import pytest

from opilio.kernel import files
from opilio.kernel.errors import InvalidInput, Missing, NoSpace, NotWritable, Unavailable


@pytest.fixture
def broken(monkeypatch):
    """Makes a call of the operating system fail with an errno."""

    def fail(function, number):
        def raising(*_, **__):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, function, raising)

    return fail


def test_a_written_file_holds_the_new_content_only(tmp_path):
    """Writing replaces the old content and leaves nothing else in the folder."""
    path = tmp_path / "report.json"
    path.write_bytes(b"a much longer old content")
    assert files.write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_block_leaves_the_old_file(tmp_path):
    """When the writer fails half-way, the old file is there, whole and alone."""
    path = tmp_path / "report.json"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), files.writing(path) as stream:
        stream.writelines([b"half", "text by mistake"])
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_new_file_is_not_visible_before_the_block_ends(tmp_path):
    """Readers never see a part."""
    path = tmp_path / "report.json"
    with files.writing(path) as stream:
        stream.write(b"half")
        stream.flush()
        assert not path.exists()
    assert path.read_bytes() == b"half"


def test_content_reaches_the_disk_before_the_name(tmp_path, monkeypatch):
    """The file is synced before it is renamed, and the folder after."""
    path = tmp_path / "report.json"
    seen = []
    real = os.fsync

    def noting(descriptor):
        seen.append(("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file", path.exists()))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", noting)
    files.write_atomically(path, b"new")
    assert seen == [("file", False), ("folder", True)]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_the_mode_is_set_exactly(tmp_path, mode):
    """The umask does not change a mode that was asked for."""
    former = os.umask(0o077)
    try:
        files.write_atomically(tmp_path / "key", b"secret", mode=mode)
    finally:
        os.umask(former)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == mode


def test_a_secret_is_never_readable_by_others(tmp_path):
    """The temporary file of a secret has the narrow mode from its beginning."""
    former = os.umask(0)
    try:
        with files.writing(tmp_path / "key", mode=files.SECRET):
            [temporary] = tmp_path.iterdir()
            assert stat.S_IMODE(temporary.stat().st_mode) == 0o600
    finally:
        os.umask(former)


def test_without_replacing_the_first_writer_wins(tmp_path):
    """Of many writers at once exactly one is told that its content is there, and it is."""
    path = tmp_path / "signing.key"
    start = threading.Barrier(8)
    won = []

    def race(number):
        start.wait()
        if files.write_atomically(path, str(number).encode(), mode=files.SECRET, replace=False):
            won.append(number)

    threads = [threading.Thread(target=race, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [path.read_text()] == [str(number) for number in won]
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_replaced_and_not_followed(tmp_path):
    """Writing over a symbolic link does not touch what it points to."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"untouched")
    link = tmp_path / "link"
    link.symlink_to(victim)
    files.write_atomically(link, b"new")
    assert victim.read_bytes() == b"untouched"
    assert not link.is_symlink()


def test_appending_returns_the_new_length(tmp_path):
    """Bytes are added at the end and the length is told."""
    path = tmp_path / "log"
    assert files.append_synced(path, b"one") == 3
    assert files.append_synced(path, b"two") == 6
    assert path.read_bytes() == b"onetwo"


def test_a_failed_append_leaves_the_old_length(tmp_path, broken):
    """When the disk fills up during an append, no part of it stays."""
    path = tmp_path / "log"
    path.write_bytes(b"one")
    broken("fsync", errno.ENOSPC)
    with pytest.raises(NoSpace):
        files.append_synced(path, b"two")
    assert path.read_bytes() == b"one"


def test_short_writes_are_continued(tmp_path, monkeypatch):
    """An append is whole also when the system takes a few bytes at a time."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:2]))
    assert files.append_synced(tmp_path / "log", b"seven b") == 7
    assert (tmp_path / "log").read_bytes() == b"seven b"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_no_space(tmp_path, broken, number):
    """A full disk and a used-up quota are NoSpace, name the file and leave nothing behind."""
    broken("fsync", number)
    with pytest.raises(NoSpace, match=r"report\.json") as caught:
        files.write_atomically(tmp_path / "report.json", b"new")
    assert caught.value.remedy
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.EPERM])
def test_a_folder_without_the_right_to_write(tmp_path, broken, number):
    """A refused file is NotWritable with the path and a remedy."""
    broken("open", number)
    with pytest.raises(NotWritable, match=r"report\.json") as caught:
        files.write_atomically(tmp_path / "report.json", b"new")
    assert "user that runs Opilio" in caught.value.remedy


def test_a_missing_folder_and_a_file_in_its_place(tmp_path):
    """Writing below nothing, or below a file, is NotWritable."""
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "missing" / "a", tmp_path / "file" / "a"):
        with pytest.raises(NotWritable):
            files.write_atomically(path, b"new")
    with pytest.raises(NotWritable):
        files.write_atomically(tmp_path / "missing" / "a", b"new", replace=False)


def test_a_broken_disk_is_unavailable(tmp_path, broken):
    """Any other failure of the system is Unavailable with its words."""
    broken("fsync", errno.EIO)
    with pytest.raises(Unavailable, match="Input/output error"):
        files.write_atomically(tmp_path / "a", b"new")


@pytest.mark.parametrize(
    ("number", "kind", "said"),
    [
        (errno.ENOENT, Missing, "no such file"),
        (errno.EACCES, InvalidInput, "cannot read: Permission denied"),
        (errno.EISDIR, InvalidInput, "cannot read: Is a directory"),
        (errno.EIO, Unavailable, "cannot read: Input/output error"),
    ],
)
def test_a_file_that_cannot_be_read_is_not_called_unwritable(tmp_path, number, kind, said):
    """The message is about reading, with the name and a remedy."""
    path = tmp_path / "seeds.txt"
    with pytest.raises(kind, match=said) as caught, files.reading(path):
        raise OSError(number, os.strerror(number), str(path))
    assert caught.value.where == str(path)
    assert caught.value.remedy


def test_errors_about_other_files_keep_their_name(tmp_path):
    """A source that is missing is not reported as a target that cannot be written."""
    with pytest.raises(FileNotFoundError), files.writing(tmp_path / "copy"):
        (tmp_path / "elsewhere" / "source").read_bytes()


def test_folders_are_made_with_their_parents(tmp_path):
    """A folder made here has the mode asked for; one that is there keeps its own."""
    made = files.ensure_folder(tmp_path / "a" / "secrets", mode=files.SECRET_FOLDER)
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    made.chmod(0o755)
    files.ensure_folder(made, mode=files.SECRET_FOLDER)
    assert stat.S_IMODE(made.stat().st_mode) == 0o755
    assert list(made.iterdir()) == []


def test_a_file_is_no_folder(tmp_path):
    """A file where a folder should be is NotWritable."""
    (tmp_path / "home").write_bytes(b"")
    with pytest.raises(NotWritable, match="home"):
        files.ensure_folder(tmp_path / "home")


def test_a_folder_that_takes_no_file_is_not_writable(tmp_path, broken):
    """That a folder exists is not enough: a file must be possible in it."""
    broken("open", errno.EROFS)
    with pytest.raises(NotWritable):
        files.ensure_folder(tmp_path)


def test_space_is_checked_before_writing(tmp_path):
    """Too little room is NoSpace with both figures; the folder need not exist yet."""
    files.require_space(tmp_path / "not" / "yet", 1)
    with pytest.raises(NoSpace, match="are needed and") as caught:
        files.require_space(tmp_path, files.free_space(tmp_path) + 10**15)
    assert "another disk" in caught.value.remedy
