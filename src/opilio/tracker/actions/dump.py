"""Take over the tables of another tracker; operators do."""

from pathlib import Path

from opilio.people.acting import Act, action
from opilio.tracker import profiles
from opilio.tracker.dump_import import Importing, imported
from opilio.tracker.dump_tables import PhaseNumbers
from opilio.tracker.models import Centre


@action("tracker.import", "Take over the tables of another tracker; operators do.")
def import_tables(act: Act, /, *, folder: Path, agency_id: int, profile: str = "impc") -> dict[str, int]:
    """All of them or nothing; its centres belong to one agency. How many rows each table had."""
    act.require_that(act.actor.user is None, "import the tables of a tracker", "Operators do, on the command line.")
    rules = profiles.named(profile)
    work = Importing(profile=rules, agency=agency_id, by=act.actor.username, phases=PhaseNumbers(rules))
    counts = imported(folder, work)
    for centre in Centre.objects.filter(agency_id=agency_id, created__lte=act.clock.now()).order_by("id"):
        act.record(centre, message=f"It was imported with {sum(counts.values())} rows of a tracker.")
    return counts
