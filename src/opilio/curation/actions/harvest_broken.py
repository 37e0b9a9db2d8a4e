"""Tells the owner of a harvest that many of its links are broken, where its profile or the installation wants that."""

from opilio.curation import harvest_log
from opilio.curation.models import Harvest
from opilio.people.acting import Act, action
from opilio.people.intray import Category, Resource, notify
from opilio.people.parameters import value
from opilio.works.harvest_reports.broken import Broken

FROM = "broken_links_told_from"  # the parameter


@action("harvest.tell_broken", "The owner of a harvest is told about broken links.")
def tell_broken_links(act: Act, /, *, harvest_id: int, broken: Broken, least: int | None = None) -> bool:
    """Whether there are so many that they are told; whoever switched notices off hears nothing.

    `least` is what the plan says: 0 never, None as the parameter says.
    """
    act.require_that(act.actor.is_system, "run harvests", "Only agents do.")
    harvest = Harvest.objects.select_for_update(of=("self",)).filter(pk=harvest_id).first()
    wanted = int(value(FROM)) if least is None else least
    if harvest is None or not wanted or broken.urls < wanted:
        return False
    harvest_log.noted(act, harvest, "broken-links", details={"urls": broken.urls, "links": broken.links})
    subject = f"{broken.urls:,} broken URL{'' if broken.urls == 1 else 's'} in the harvest of {harvest.abstract_target}"
    act.record(harvest, message=subject)
    notify(
        [harvest.owner_id], kind="harvest-broken-links", category=Category.GENERAL, now=act.clock.now(),
        sender=act.actor.username, subject=subject, message=_message(harvest_id, broken),
        resource=Resource(kind="harvest", id=harvest_id),
    )  # fmt: skip
    return True


def _message(harvest_id: int, broken: Broken) -> str:
    lines = [
        f"{broken.links:,} links lead to them. All, with the pages to mend: /harvests/{harvest_id}/reports/broken-links"
    ]
    return "\n".join([*lines, *broken.examples])
