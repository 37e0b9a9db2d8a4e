"""The steps of the demo, in their order."""

from dataclasses import dataclass
from typing import Any

from opilio.cli import demo_archive, demo_check, demo_curation, demo_data, demo_harvests, demo_index, output, serve
from opilio.cli.catalogue import opened, operator, settings
from opilio.cli.output import Answer, Rows
from opilio.people.actions.installation import prepare
from opilio.server import log_format, migrating, place
from opilio.works.sample import SampleSite, expected


def run(*, port: int, once: bool) -> None:
    """Build what is not there yet, then serve until stopped, or check and end."""
    chosen = settings()
    log_format.configure(chosen)
    sign_ins = _built()
    with SampleSite() as site:
        with output.story() as step:
            crawled = step("Harvests, one of them of the sample site", lambda: _harvested(site.url))
            records = step("Check of the archive", lambda: demo_archive.verified(crawled.folder))
            indexed = step("Index of its pages", lambda: demo_index.run(crawled.folder, chosen))
        with demo_archive.replaying(crawled.folder) as replayed:

            def ready(address: str) -> bool:
                checked = _checked(address, site.url, _administrator(sign_ins), replayed) if once else []
                made = _Made(crawled=crawled, records=records, indexed=indexed, replayed=replayed)
                output.show(_answer(address, site.url, sign_ins, made, checked))
                return not once

            serve.run(chosen, host="127.0.0.1", port=0 if once else port, workers=1, agent=True, when_ready=ready)


def _built() -> list[demo_data.SignIn]:
    with opened(migrated=False), output.story() as step:
        step("Home folder and tables", _migrated)
        step("Agencies", lambda: demo_data.agencies(operator()))
        sign_ins = step("Users, one for each role", lambda: demo_data.users(operator(), settings()))
        step("Tasks and notifications", lambda: demo_data.messages(operator()))
        step("Annotations and deleted rows", lambda: demo_data.traces(operator()))
        step("Rights, targets, groups and schedules", lambda: demo_curation.build(operator()))
    return sign_ins


def _harvested(site: str) -> demo_harvests.Harvested:
    with opened():
        return demo_harvests.run(operator(), site)


def _migrated() -> None:
    migrating.migrate(settings(), place.where(), lambda done, total: None)
    prepare(operator())


def _administrator(sign_ins: list[demo_data.SignIn]) -> demo_data.SignIn:
    return next(one for one in sign_ins if one.username == demo_data.ADMINISTRATOR)


def _checked(
    address: str, site: str, who: demo_data.SignIn, replayed: demo_archive.Replayed
) -> list[str]:  # fmt: skip
    opened = demo_check.run(address, site, who)
    return opened + replayed.check([f"{site}{path}" for path in sorted(expected.PAGES)])


@dataclass(frozen=True, kw_only=True)
class _Made:
    """What there is to look at."""

    crawled: demo_harvests.Harvested
    records: int  # of the archive
    indexed: demo_index.Indexed
    replayed: demo_archive.Replayed


def _answer(
    address: str, site: str, sign_ins: list[demo_data.SignIn], made: _Made, checked: list[str]
) -> Answer:  # fmt: skip
    crawled, search = made.crawled, f"{address}find?q={demo_index.EXAMPLE}"
    rows = [(one.username, one.password, one.agency, one.role) for one in sign_ins]
    document: dict[str, Any] = {
        "address": address,
        "sample_site": f"{site}/",
        "sign_ins": [vars(one) for one in sign_ins],
        "crawl": {"folder": str(crawled.folder), "pages": crawled.pages, "broken_links": crawled.broken_links},
        "harvests": {
            "harvested": f"{address}harvests/{crawled.id}",
            "scheduled": crawled.scheduled,
            "held": f"{address}harvests/{crawled.held}",
            "reason": crawled.reason,
        },
        "review": f"{address}review",
        "archive": {"records": made.records, "replay": made.replayed.address},
        "index": {"generation": made.indexed.generation, "documents": made.indexed.documents, "search": search},
        "checked": checked,
    }
    words = f"The pages: {address}   The sample site: {site}/"
    crawl = (
        f"Harvested {crawled.pages} pages of it into {crawled.folder} and found {crawled.broken_links} broken links: "
        f"{address}harvests/{crawled.id}, or `opilio crawl report {crawled.folder}`."
    )
    harvests = (
        f"{crawled.scheduled} harvests wait for their time: {address}harvests. One waits for a person: "
        f"{address}harvests/{crawled.held} ({crawled.reason})"
    )
    review = (
        f"What was harvested waits for review, with a recommendation once the agent has measured it: {address}review"
    )
    archive = f"Checked {made.records} records of the archive. Look at the copy: {made.replayed.address}"
    index = f"Indexed {made.indexed.documents} of its pages. Search them: {search}"
    ending = f"Checked {len(checked)} addresses; all answer." if checked else "Ctrl-C ends it."
    table = Rows(columns=("user name", "password", "agency", "role"), rows=rows)
    return Answer(document=document, parts=[words, crawl, harvests, review, archive, index, table, ending])
