"""What a path stands for, and how its faults are told."""

import json

import pytest

from opilio.archive.verify.places import places
from opilio.cli.main import main
from opilio.kernel.errors import Damaged, InvalidInput
from tests.unit.archive.verify.archives import archive, good


@pytest.mark.parametrize(("name", "start"), [("x.wacz", b"PK\x03\x04"), ("x.cdx", b" CDX"), ("x.IDX", b"com")])
def test_other_files_are_refused_with_the_right_command(tmp_path, name, start):
    """A WACZ is imported, another index is read by `index`; neither is damage."""
    (tmp_path / name).write_bytes(start + b"more")
    with pytest.raises(InvalidInput) as refused:
        places([tmp_path / name])
    assert "opilio archive i" in refused.value.remedy


def test_folders_are_searched_whole(tmp_path):
    """Files in folders of any name and depth are read; what programs hide for themselves is not."""
    for place in ("a b/c", "warcs", "screenshots", ".aside"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "x.warc.gz").write_bytes(b"")
    found = [path.relative_to(tmp_path).parent.as_posix() for path in places([tmp_path]).records]
    assert found == ["a b/c", "screenshots", "warcs"]


def test_manifests_name_files_as_seen_from_their_crawl(tmp_path):
    """Also when the folder above several crawls is given."""
    (tmp_path / "one" / "results").mkdir(parents=True)
    (tmp_path / "one" / "results" / "result-1.sha256").write_text("")
    (tmp_path / "one" / "x.warc").write_bytes(b"")
    assert places([tmp_path]).manifests == ((tmp_path / "one", tmp_path / "one" / "results" / "result-1.sha256"),)


def test_list_tells_what_is_broken(tmp_path, capsys):
    """A file that breaks off is listed as far as it goes, and that is not all there is to say."""
    whole = tmp_path / "x.warc.gz"
    whole.write_bytes(archive(good()).bytes()[:-30])
    assert main(["archive", "list", str(whole), "--json"]) == Damaged.exit_code
    told = json.loads(capsys.readouterr().out)
    assert told["records"]
    assert told["faults"]
