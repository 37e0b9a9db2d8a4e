"""The measurement of look-ups, at a small count: the same code that measures ten million lines."""

from benchmarks.archive import find


def test_look_ups_are_measured(tmp_path, monkeypatch):
    """Both indexes are made by processes of their own, and every capture that is asked for is found."""
    monkeypatch.setenv("OPILIO_TEST_BENCH_CACHE", str(tmp_path))
    for name, value in {"LINES": 20_000, "TRIES": 60, "COLD": 3}.items():
        monkeypatch.setattr(find, name, value)
    said = find.run()
    assert said[0] == "20,000 lines of CDXJ."
    assert (
        len([line for line in said if "| .cdxj |" in line]) == len([line for line in said if "| .idx |" in line]) == 7
    )
    assert said[-2].startswith("- memory while it is made: ")
    assert list((tmp_path / "scratch").iterdir()) == []
