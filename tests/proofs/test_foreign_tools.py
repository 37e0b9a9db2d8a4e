"""Other programs, each in an environment of its own, accept what we hand over; `make prove` installs them.

The same packages are checked by our reader, warcio and fastwarc in the ordinary run.
"""

import os
import subprocess
import zipfile

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from benchmarks.archive.wacz import PEER as WACZ
from benchmarks.crawl.programs import environment
from opilio.archive.wacz.reader import WaczFile
from opilio.works.crawl_to_archive import crawl
from opilio.works.import_archive import import_archives
from opilio.works.pack_crawl import Wishes, pack
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.large_site import LargeSite

pytestmark = pytest.mark.foreign

PAGES = 40  # of the site, for each unit of the scale


@pytest.fixture
def wacz():
    """Runs the `wacz` program; its output."""
    try:
        program = environment("wacz", WACZ) / "bin" / "wacz"
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"wacz cannot be installed here: {error}")

    def run(*words):
        done = subprocess.run(
            [program, *map(str, words)], capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_wacz_files_are_valid_for_the_wacz_tool(wacz, server, proof_scale, tmp_path, record_property):
    """Plain, signed with texts, and with the originals of another crawl in it."""
    site = LargeSite(pages=PAGES * proof_scale)
    url = server.url(f"{site.base}/", host="a.localhost")
    crawl(plan_for(url), tmp_path / "first")
    crawl(plan_for(url, since=str(tmp_path / "first")), tmp_path / "second")
    key = tmp_path / "key.pem"
    private = ec.generate_private_key(ec.SECP384R1())
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    forms = {
        "plain": ("first", Wishes(title="Almanac", description="A small site")),
        "signed": ("first", Wishes(text=True, sign=key)),
        "whole": ("second", Wishes(self_contained=True)),
    }
    for name, (folder, wishes) in forms.items():
        packed = pack(tmp_path / folder, tmp_path / f"{name}.wacz", wishes)
        record_property(f"captures {name}", packed.captures)
        assert "valid" in wacz("validate", "--file", packed.output)
        with WaczFile(packed.output) as ours:
            assert list(ours.faults()) == []


def test_what_the_wacz_tool_packs_is_imported(wacz, server, proof_scale, tmp_path, record_property):
    """Our reader finds no fault in it, and all of its captures."""
    site = LargeSite(pages=PAGES * proof_scale)
    crawl(plan_for(server.url(f"{site.base}/", host="a.localhost")), tmp_path / "crawl")
    theirs = tmp_path / "theirs.wacz"
    wacz("create", "--detect-pages", "--output", theirs, *(tmp_path / "crawl/warcs").iterdir())
    with WaczFile(theirs) as found, zipfile.ZipFile(theirs) as entries:
        assert list(found.faults()) == []
        assert len(found.names) == len(entries.namelist())
    done = import_archives([theirs], tmp_path / "back")
    record_property("captures", done.captures)
    assert done.skipped == 0
    assert done.resources >= site.pages
