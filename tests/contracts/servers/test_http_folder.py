"""The HTTP server by hand: `python -m tests.servers.http --folder NEW`."""

from tests.servers.process import ServerProcess


def test_a_folder_that_is_not_there_is_made(tmp_path):
    """With its parents; the log begins in it."""
    folder = tmp_path / "new" / "place"
    process = ServerProcess("tests.servers.http", ["--folder", str(folder)], errors=tmp_path / "errors.txt")
    process.start()
    process.stop()
    assert folder.is_dir()
