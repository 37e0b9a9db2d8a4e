"""The catalogue in SQLite is for its owner alone."""

import stat


def test_the_catalogue_file_is_closed_to_others(tmp_path, database_engine, installation):
    """It holds password hashes; what SQLite lays beside it is closed too."""
    if database_engine != "sqlite":
        assert not (installation.home / "catalogue.db").exists()
        return
    (installation.home / "catalogue.db").unlink()
    done = installation.run("db", "migrate")
    assert done.returncode == 0, done.stderr
    for path in installation.home.glob("catalogue.db*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
