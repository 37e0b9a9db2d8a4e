"""Harvests that can be archived: endorsed, with a real snapshot and a really sealed crawl; and who takes them."""

import dataclasses
from datetime import timedelta

from opilio.agents.context import RunContext
from opilio.agents.deposits import deposit_result
from opilio.curation.actions.depositories import create_depository
from opilio.curation.actions.harvest_queue import consider_due
from opilio.curation.deposit_jobs import KIND, DepositResult
from opilio.curation.models import Deposit, DublinCore, Harvest, HarvestState, PreservationEvent, Result, ResultState
from opilio.jobs import claims
from opilio.people.privileges import Privilege, Scope
from tests.harvest_desk import NETWORK
from tests.review_desk import ReviewDesk, crawled, pruned, sealed_folder

LEASE = timedelta(seconds=60)


class DepositDesk(ReviewDesk):
    """A desk with endorsed harvests and depositories."""

    def archivist(self, **made):
        """Somebody who may archive and set depositories up."""
        given = {Privilege.ARCHIVE_HARVEST: Scope.AGENCY, Privilege.CONFIGURE_PARAMETERS: Scope.NONE}
        return self.town.actor(privileges=given, **made)

    def endorsed(self, home=None, row=None, *, results=1, **fields):
        """An endorsed harvest, frozen as the scheduler does; with `home`, its folder lies there."""
        row = row or self.described()
        made = self.harvest(row)
        consider_due(self.town.system, harvest_id=made.pk, network=NETWORK)
        times = {"started_at": self.now, "ended_at": self.now, "agent_name": "barn"}
        Harvest.objects.filter(pk=made.pk).update(state=HarvestState.ENDORSED, **times, **fields)
        if home is not None:
            folder = sealed_folder(home, made.pk)
            for path in ("/herons.html", "/nests/2.html")[: results - 1]:
                pruned(folder.path, crawled().url(path))
        made = Harvest.objects.get(pk=made.pk)
        for number in range(1, results + 1):
            last = number == results
            self.result(made, number, state=ResultState.ENDORSED if last else ResultState.REJECTED)
            self._captured(made, number)
        return made

    def described(self, **fields):
        """A target that may be collected, with a description."""
        row = self.ready(name="Owls of the marsh", description="A site about owls", **fields)
        core = DublinCore(title="Owls", creator="Marsh society", identifier_isbn="978-3", **self._moments())
        core.save()
        type(row).objects.filter(pk=row.pk).update(dublin_core=core)
        row.refresh_from_db()
        return row

    def depository(self, home, *, kind="directory", **fields):
        """A depository, made as people do; a folder of the home unless told otherwise."""
        given = {"name": "Cellar", "kind": kind, "place": str(home / "depositories" / "cellar"), "form": "bag"}
        return create_depository(self.town.system, **{**given, **fields})

    def _captured(self, harvest, number):
        PreservationEvent(
            harvest=harvest, result=number, kind="capture" if number == 1 else "derivation", at=self.now, by="system",
            outcome="success", software="Opilio 0.1.0",
        ).save()  # fmt: skip


def allowing(settings, **given):
    """Change settings of the installation."""
    settings.OPILIO = dataclasses.replace(settings.OPILIO, **given)


def attempt(clock):
    """A claim of the next deposit."""
    (found,) = claims.claim(owner="a#1", limit=1, now=clock.now(), lease=LEASE, kinds=[KIND])
    return RunContext(found, clock=clock, lease=LEASE)


def run_deposit(deposit, clock):
    """Let an agent do what is left of a deposit; the row afterwards."""
    context = attempt(clock)
    deposit_result(DepositResult(deposit=deposit.pk), context)
    return Deposit.objects.select_related("harvest", "depository").get(pk=deposit.pk)


def endorsed_result(harvest):
    """The result that is archived."""
    return Result.objects.get(harvest=harvest, state=ResultState.ENDORSED)
