"""Harvests for tests of whatever needs them, written straight into the tables, or taken through the engine."""

import datetime

from opilio.curation.harvest_plan import Network
from opilio.curation.models import Harvest, HarvestState, State
from opilio.jobs import roster
from tests.curation import Desk

NETWORK = Network()
HOUR = datetime.timedelta(hours=1)


class HarvestDesk(Desk):
    """A desk with harvests."""

    def harvest(self, row=None, *, state=HarvestState.SCHEDULED, **fields):
        """A harvest of a target or group; due now unless told otherwise."""
        row = row or self.ready()
        fields.setdefault("scheduled_at", self.now)
        fields.setdefault("state_since", self.now)
        fields.setdefault("owner_id", row.owner_id)
        fields.setdefault("agency_id", row.agency_id)
        made = Harvest(abstract_target_id=row.pk, state=state, **self._moments(), **fields)
        made.save()
        return made

    def ready(self, **fields):
        """An approved target that may be collected: a seed with a right, and a default profile."""
        fields.setdefault("state", State.APPROVED)
        made = self.approvable(**fields)
        if not made.agency.profiles.filter(is_default=True).exists():
            self.profile(agency=made.agency, is_default=True, settings={"manners": {"preset": "own-site"}})
        return made

    def registered(self, name="barn", *, slots=2, **fields):
        """An agent on the roster that runs harvests."""
        return roster.register(
            name=name, machine="machine", pid=1, slots=slots, version="1", kinds=["curation.run_harvest"],
            now=self.now, **fields,
        )  # fmt: skip
