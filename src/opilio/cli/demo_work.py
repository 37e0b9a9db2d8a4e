"""The steps of the demo, in their order: one list on the terminal, then the running product."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opilio.cli import (
    demo_archive,
    demo_check,
    demo_curation,
    demo_data,
    demo_deliveries,
    demo_harvests,
    output,
    serve,
)
from opilio.cli.catalogue import opened, operator, settings
from opilio.cli.output import Answer, Rows
from opilio.kernel.errors import PortInUse
from opilio.kernel.files import write_atomically
from opilio.people.actions.installation import prepare
from opilio.server import log_format, migrating, place
from opilio.server.ports import free_port
from opilio.works.sample import SampleSite, expected

_PORT = "demo-site-port"  # file of the home; so that what was harvested is found again


def run(*, port: int, once: bool) -> None:
    """Build what is not there yet, then serve until stopped, or check and end."""
    chosen = settings()
    log_format.configure(chosen)
    with output.story() as step:
        sign_ins = _people(step)
        with _site(chosen.home) as site:
            made = _work(step, site.url, chosen.home)
            with demo_archive.replaying(made.harvested.folder) as replayed:

                def ready(address: str) -> bool:
                    checked = _checked(address, site.url, sign_ins, made, replayed) if once else []
                    output.show(_answer(address, f"{site.url}/", sign_ins, made, replayed, checked))
                    return not once

                serve.run(chosen, host="127.0.0.1", port=0 if once else port, workers=1, agent=True, when_ready=ready)


@dataclass(frozen=True, kw_only=True)
class _Made:
    """What there is to look at."""

    harvested: demo_harvests.Harvested
    delivered: demo_deliveries.Delivered
    records: int  # of the archive
    token: str  # for the API


def _people(step: output.Step) -> list[demo_data.SignIn]:
    with opened(migrated=False):
        step("Home folder and tables", _migrated)
        step("Three agencies", lambda: demo_data.agencies(operator()))
        sign_ins = step("A user for each role", lambda: demo_data.users(operator(), settings()))
        step("Tasks, notifications, annotations", _traces)
        step("Rights, targets, groups and schedules", lambda: demo_curation.build(operator()))
    return sign_ins


def _work(step: output.Step, site: str, home: Path) -> _Made:
    with opened():
        harvested = step(
            "Harvests of the sample site: harvested, archived, published, rejected, aborted",
            lambda: demo_harvests.run(operator(), site, home),
        )
        delivered = step("Deliveries, good ones and bad", lambda: demo_deliveries.run(operator(), home))
        records = step("Check of every record", lambda: demo_archive.verified(harvested.folder))
        token = demo_data.api_token(operator())
    return _Made(harvested=harvested, delivered=delivered, records=records, token=token)


def _traces() -> None:
    demo_data.messages(operator())
    demo_data.traces(operator())


def _migrated() -> None:
    migrating.migrate(settings(), place.where(), lambda done, total: None)
    prepare(operator())


@contextlib.contextmanager
def _site(home: Path) -> Iterator[SampleSite]:
    """The sample site, on the port that it had before unless somebody else has that now."""
    file = home / _PORT
    with SampleSite(port=_still_free(file)) as site:
        write_atomically(file, site.url.rpartition(":")[2].encode())
        yield site


def _still_free(file: Path) -> int:
    text = file.read_text() if file.is_file() else ""
    try:
        return free_port("127.0.0.1", int(text)) if text.isdigit() else 0
    except PortInUse:
        return 0


def _checked(
    address: str, site: str, sign_ins: list[demo_data.SignIn], made: _Made, replayed: demo_archive.Replayed
) -> list[str]:  # fmt: skip
    who = next(one for one in sign_ins if one.username == demo_data.ADMINISTRATOR)
    opened = demo_check.run(address, site, who, made.token)
    return opened + replayed.check([f"{site}{path}" for path in sorted(expected.PAGES)])


def _answer(
    address: str, site: str, sign_ins: list[demo_data.SignIn], made: _Made, replayed: demo_archive.Replayed,
    checked: list[str],
) -> Answer:  # fmt: skip
    harvested, delivered, search = made.harvested, made.delivered, f"{address}find?q={demo_check.EXAMPLE}"
    document: dict[str, Any] = {
        "address": address,
        "sample_site": site,
        "sign_ins": [vars(one) for one in sign_ins],
        "crawl": {
            "folder": str(harvested.folder), "pages": harvested.pages, "broken_links": harvested.broken_links
        },
        "harvests": {
            "to_review": f"{address}harvests/{harvested.id}",
            "archived": f"{address}harvests/{harvested.archived}",
            "running": f"{address}harvests/{harvested.running}",
            "scheduled": harvested.scheduled,
            "held": f"{address}harvests/{harvested.held}",
            "reason": harvested.reason,
        },
        "deliveries": {"all": delivered.deliveries, "failed": delivered.failed, "matrix": f"{address}deliveries"},
        "archive": {"records": made.records, "replay": replayed.address},
        "search": search,
        "checked": checked,
    }  # fmt: skip
    places = [
        ("Sign in", address),
        ("The site that is collected", site),
        (f"A harvest to review: {harvested.pages} pages, {harvested.broken_links} broken links",
         f"{address}harvests/{harvested.id}"),
        ("A harvest that runs", f"{address}harvests/{harvested.running}"),
        ("A harvest that was archived", f"{address}harvests/{harvested.archived}"),
        ("A harvest that waits for a person", f"{address}harvests/{harvested.held}"),
        (f"{delivered.deliveries} deliveries, {delivered.failed} with trouble", f"{address}deliveries"),
        ("What readers find", search),
        (f"The copy, replayed; {made.records} records were checked", replayed.address),
    ]  # fmt: skip
    users = [(one.username, one.password, one.agency, one.role) for one in sign_ins]
    ending = f"Checked {len(checked)} addresses; all answer." if checked else "Ctrl-C ends it; `opilio demo` goes on."
    return Answer(
        document=document,
        parts=[
            Rows(columns=("what", "where"), rows=places),
            Rows(columns=("user name", "password", "agency", "role"), rows=users),
            ending,
        ],
    )
