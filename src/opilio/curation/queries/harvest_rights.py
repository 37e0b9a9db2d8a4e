"""What stands against a harvest that is under way, for whoever is asked to decide about it."""

from opilio.curation.frozen_rights import problems_of
from opilio.curation.models import Harvest
from opilio.curation.rights_watch import undecided
from opilio.people.actor import Actor


def missing_rights(actor: Actor, row: Harvest) -> tuple[str, ...]:
    """Sentences about the permissions of its seeds; nothing when it may go on."""
    return undecided(row, problems_of([row], actor.clock.now())[row.pk])
