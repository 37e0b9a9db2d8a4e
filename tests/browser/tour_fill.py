"""Something for every page to show: plain rows, long names, other scripts. Runs in a process of the installation."""

import datetime

from django.conf import settings

from opilio.curation.actions import (
    bandwidth,
    credentials,
    excluded_urls,
    fixity,
    flags,
    groups,
    indicators,
    nominations,
    permission_requests,
    permission_templates,
    publications,
    reading_rooms,
    schedules,
    takedowns,
    target_verification,
)
from opilio.curation.models import Harvest, HarvestState, PermissionStatus, State
from opilio.kernel.clock import SYSTEM
from opilio.people.actions import lists, webhooks
from opilio.people.actions.parameters import set_parameters
from opilio.people.actor import Actor, Via, system
from opilio.people.parameters import in_force
from opilio.people.queries.account import actor_for
from opilio.works.fixity import Reading
from tests.acceptance.review.quality import assessed, result_of
from tests.browser import seed, tracker_fill
from tests.browser.curation_letters import LETTER
from tests.deposit_desk import DepositDesk
from tests.people import Town

#: What people really type: a name without a space, Arabic from right to left, drawings, and a whole page of text.
LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstellenverzeichnis" * 2
ARABIC = "أرشيف الصحف اليومية في الميناء القديم"
EMOJI = "🦉 Owls of the marsh 🏴‍☠️ 👩‍👩‍👧‍👦"
WORDY = "The tide came in, and nobody had written it down. " * 80
_ADDRESS = "http://site.example/" + "a/very/long/path/" * 20 + "?" + "&".join(f"name{n}=value{n}" for n in range(40))


def fill(password: str) -> dict[str, int]:
    """Every noun at least once; identifiers of what no page leads to."""
    made = seed.fill(password)
    town = Town()
    town.clock.at = SYSTEM.now()
    desk = DepositDesk(town)
    boss = actor_for(made["administrator"], via=Via.PAGE, address="127.0.0.1")
    assert boss is not None
    _rights(desk, boss)
    _targets(desk, boss)
    _results(desk, boss)
    _admin(desk, boss)
    tracker_fill.fill(town)
    return made


def _targets(desk: DepositDesk, boss: Actor) -> None:
    """One target in every state, some of them with names that are hard to show; a group of them; schedules."""
    states = [state for state in State if state < State.GROUP_PENDING]
    every = [desk.target(state=state, name=f"Tides, {state.label.lower()}") for state in states]
    hard = [desk.target(name=name, description=WORDY, seeds=[_ADDRESS]) for name in (LONG, ARABIC, EMOJI)]
    ready = desk.described()
    group = desk.group(*every[:3], *hard, name="Everything that is hard to show")
    desk.group(desk.group(name="Inner"), ready, name="Outer")
    groups.copy_group(boss, group_id=group.pk, name=LONG)
    for row in (ready, hard[0], group):
        schedules.create_schedule(boss, holder_id=row.pk, cron="0 0 21 ? * MON *", time_zone="Europe/Paris")
        credentials.create_credential(
            boss, holder_id=row.pk, kind="basic", domain="site.example", secret="opens nothing", username="reader"
        )
    excluded_urls.add_excluded_url(boss, target_id=ready.pk, url="http://www.site.example/x", reason=WORDY[:1000])
    target_verification.ask_verification(boss, target_id=ready.pk, email="office@site.example", site="http://localhost")
    for title in ("Lighthouse keepers", ARABIC):
        nominations.receive_nomination(
            system(), agency_id=ready.agency_id, url="http://lights.example/", title=title, reason=WORDY[:1000]
        )


def _rights(desk: DepositDesk, boss: Actor) -> None:
    """A permission in every state; one was asked for."""
    library = desk.town.library
    set_parameters(
        boss, texts={"nominations_open": "true"}, versions={"nominations_open": in_force()["nominations_open"].version}
    )
    template = permission_templates.create_template(
        boss, agency_id=library.id, name="By e-mail", kind="Email Template", text=LETTER, subject="May we?"
    )
    for status in PermissionStatus:
        desk.permission("http://www.site.example/*", status=status)
    asked = desk.permission(
        _ADDRESS[:200] + "*", status=PermissionStatus.PENDING,
        agent=desk.agent(name=LONG[:80], contact="Editor", email="editor@site.example"),
    )  # fmt: skip
    permission_requests.request_permission(
        boss, permission_id=asked.pk, template_id=template.pk, base_url="http://localhost"
    )


def _results(desk: DepositDesk, boss: Actor) -> None:
    """Harvests in every state; one with a crawl that was sealed, one that was archived; what is done with them."""
    for state in HarvestState:
        if state not in (HarvestState.HARVESTED, HarvestState.ENDORSED):
            desk.harvest(desk.ready(name=f"Harvest {state.value}"), state=state)
    home = settings.OPILIO.home
    sealed = desk.sealed(home, desk.ready(name="Birds of the marsh"), results=2)
    Harvest.objects.filter(pk=sealed.pk).update(agent_name="barn")
    assessed(system(clock=desk.town.clock), result_of(sealed, 1))
    endorsed = desk.endorsed(home, desk.ready(name="Owls, endorsed"))
    desk.depository(home)
    fixity.record_check(
        system(), harvest_id=endorsed.pk, place="home", begun_at=desk.now, reading=Reading(files=3, bytes=12_000)
    )
    publications.start_publication(boss)
    takedowns.order_takedown(
        boss, agency_id=desk.town.library.id, level="hide", reach="prefix", value="http://www.site.example/private/",
        authority="Data protection officer", reason=WORDY[:1000], reference="DP-1",
    )  # fmt: skip
    desk.registered()


def _admin(desk: DepositDesk, boss: Actor) -> None:
    """What administrators set up."""
    library = desk.town.library.id
    bandwidth.create_restriction(boss, day=1, start=datetime.time(8), end=datetime.time(18), limit=500)
    flags.create_flag(boss, agency_id=library, name="Look again", colour="#c04000")
    indicators.create_indicator(boss, agency_id=library, code="errors", upper=5.0)
    reading_rooms.create_room(boss, agency_id=library, name="Ground floor", networks="192.0.2.0/24")
    desk.reason()
    webhooks.create_webhook(
        boss, name="Newspaper desk", url="https://desk.example/hook", events=["target.approved"], agency_id=library
    )
    lists.create_list_entry(boss, list_name="access-status", value=LONG[:60])
