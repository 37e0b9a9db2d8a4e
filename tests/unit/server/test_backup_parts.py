"""Digests of tables, manifests, and who may work with an installation."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.server import occupancy
from opilio.server.backups import manifest
from opilio.server.backups.manifest import FileEntry, Manifest, TableEntry
from opilio.server.backups.rows import differences, entry
from opilio.server.errors import DamagedBackup, InOperation

_VALUES = st.one_of(st.none(), st.integers(), st.text(), st.binary(), st.booleans())
_ROWS = st.lists(st.tuples(_VALUES, _VALUES), max_size=20)


@given(rows=_ROWS, order=st.randoms())
def test_order_of_rows_does_not_matter(rows, order):
    """The same rows in another order have the same digest."""
    other = rows[:]
    order.shuffle(other)
    assert entry(rows) == entry(other)


@given(rows=_ROWS, extra=st.tuples(_VALUES, _VALUES))
def test_another_row_matters(rows, extra):
    """A row more, even one that is there already, is another digest."""
    assert entry([*rows, extra]) != entry(rows)


def test_differences_are_named():
    """Missing and additional tables, counts and contents are told apart."""
    was = {"a": entry([(1,)]), "b": entry([(1,)]), "c": entry([(1,)]), "e": entry([])}
    now = {"a": entry([(1,)]), "b": entry([(2,)]), "c": entry([]), "d": entry([])}
    assert differences(was, now) == [
        "table b has other contents",
        "table c has 0 rows instead of 1",
        "table d is not in the manifest",
        "table e is missing",
    ]


def _manifest():
    return Manifest(
        opilio="0.1.0", made="2026-01-01T00:00:00+00:00", engine="sqlite", engine_version="3",
        migrations=(("people", "0001_initial"),), tables={"agency": TableEntry(rows=1, digest="0" * 64)},
        dump=FileEntry(path="catalogue.sqlite", size=1, sha256="0" * 64),
    )  # fmt: skip


def test_manifest_is_read_back(tmp_path):
    """What was written is read."""
    (tmp_path / "manifest.json").write_bytes(manifest.to_json(_manifest()))
    assert manifest.read(tmp_path) == _manifest()


@pytest.mark.parametrize(
    "change",
    [
        {"tables": {"agency": {"rows": "1", "digest": ""}}},
        {"tables": {"agency": {"rows": True, "digest": ""}}},
        {"tables": []},
        {"dump": {"path": "../catalogue.db", "size": 1, "sha256": ""}},
        {"dump": {"path": "/etc/passwd", "size": 1, "sha256": ""}},
        {"dump": {"path": "x", "size": 1, "sha256": "", "more": "y"}},
        {"migrations": [["people"]]},
        {"format": "1"},
        {"secrets": None},
    ],
)
def test_hostile_manifest_is_refused(tmp_path, change):
    """A field of another type, or a path that leads outside, makes the manifest unusable."""
    document = {**json.loads(manifest.to_json(_manifest())), **change}
    (tmp_path / "manifest.json").write_text(json.dumps(document))
    with pytest.raises(DamagedBackup):
        manifest.read(tmp_path)


def test_servers_share_and_a_restore_is_alone(tmp_path):
    """Several may work with an installation; a restore waits for none and lets none in."""
    with occupancy.shared(tmp_path), occupancy.shared(tmp_path), pytest.raises(InOperation), occupancy.alone(tmp_path):
        pass
    with occupancy.alone(tmp_path), pytest.raises(InOperation), occupancy.shared(tmp_path):
        pass
    with occupancy.alone(tmp_path):
        assert os.access(tmp_path / occupancy.FILE, os.W_OK)
