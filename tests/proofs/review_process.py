"""Works of a review on the folder of a harvest, each done by a process that may be killed on the way.

`python -m tests.proofs.review_process` obeys one order a line: it forks a child that does one work, and that kills
itself before the nth thing that it does to a file.
"""

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from opilio.archive.mets.values import PackageFacts
from opilio.archive.store.disk import DiskStore
from opilio.archive.store.ocfl.archive import Archive
from opilio.kernel.access_where import Reach, Where
from opilio.kernel.errors import OpilioError
from opilio.works.archive_results import archive_results, identifier_of
from opilio.works.depositories.directory import DirectoryDepository
from opilio.works.depositories.handing import hand_over, proven
from opilio.works.fixity import Copies, read_home
from opilio.works.make_result import Asked, make_result
from opilio.works.package_result import PackageWishes, packaged
from opilio.works.purge_harvest import purge
from opilio.works.redact_archive import redact_archive
from opilio.works.redact_harvest import redact
from opilio.works.redact_reach import RedactionOrder
from opilio.works.result_change import WantedChange
from opilio.works.result_picks import Pick
from tests.contracts.nodes_process import Death

HARVEST = "7"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
FACTS = PackageFacts(
    identifier="info:opilio/harvest/7/result/1", harvest=7, result=1, sections={"target": {"name": "Owls"}},
    snapshot_digest="sha256:ab", frozen_at=NOW, packed_at=NOW, packed_by="archivist", software="Opilio 0.1.0",
)  # fmt: skip


def order(url):
    """What is to be destroyed."""
    return RedactionOrder(name="takedown 12", where=Where(reach=Reach.URL, value=url))


def copies(base):
    """The folder, and its copy in the archive."""
    folder = base / HARVEST
    return Copies(folder=folder, archive=Archive.open(DiskStore(base / "archive")), identifier=identifier_of(folder))


def prune(base, url):
    asked = Asked(number=3, parent=2, change=WantedChange(remove=(Pick(url=url),)), note="Too much.", by="curator")
    make_result(base / HARVEST, asked)


def pack(base, url):
    return packaged(base / HARVEST, base / "aside", FACTS, PackageWishes(key="owls", result=1, one_file=True)).package


def deposit(base, url):
    package = packaged(base / HARVEST, base / "aside", FACTS, PackageWishes(key="owls", result=1)).package
    cellar = DirectoryDepository(folder=base / "cellar")
    proven(cellar, package, hand_over(cellar, package, {}, lambda *_: None), lambda *_: None)


def archive(base, url):
    archive_results(base / HARVEST, DiskStore(base / "second"), user="archivist")


def destroy(base, url):
    redact(base / HARVEST, order(url))


def destroy_archived(base, url):
    redact_archive(copies(base).archive, copies(base).identifier, order(url), base / "aside")


def mend(base, url):
    read_home(copies(base))


def throw_away(base, url):
    purge(base / HARVEST, [])


WORKS = {
    "prune": prune, "pack": pack, "deposit": deposit, "archive": archive, "destroy": destroy,
    "destroy archived": destroy_archived, "mend": mend, "purge": throw_away,
}  # fmt: skip


def main():
    """Obey; of each order, say how it ended and how much it did to files."""
    for line in sys.stdin:
        wanted = json.loads(line)
        inner, outer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(inner)
            _obey(wanted, outer)
        os.close(outer)
        _, status = os.waitpid(child, 0)
        with os.fdopen(inner, "rb") as said:
            events = int(said.read() or 0)
        print(json.dumps({"code": os.waitstatus_to_exitcode(status), "events": events}), flush=True)


def _obey(wanted, outer):
    code = 1
    try:
        death = Death(wanted["base"], event=wanted["event"], seconds=None)
        WORKS[wanted["work"]](Path(wanted["base"]), wanted["url"])
        os.write(outer, str(death.seen).encode())
        code = 0
    except (OpilioError, OSError) as error:
        print(f"{wanted}: {error!r}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
