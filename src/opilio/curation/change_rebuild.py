"""Makes the histories of changes anew from the sealed results that are on this machine, target by target."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from opilio.curation.harvest_findings import keep_changes
from opilio.curation.harvest_folders import folder_of
from opilio.curation.last_good import GOOD
from opilio.curation.models import Harvest
from opilio.kernel.files import mapped
from opilio.works.harvest_changes import history_file, tallied


@dataclass(frozen=True, kw_only=True)
class Rebuilt:
    """What came of it."""

    targets: int
    harvests: int
    missing: tuple[int, ...]  # harvests whose results are not here


def rebuild(targets: list[int] | None = None) -> Rebuilt:
    """All targets and groups, or some; what the results here cannot tell is left out and said."""
    rows = Harvest.objects.filter(state__in=GOOD)
    wanted = rows if targets is None else rows.filter(abstract_target_id__in=targets)
    numbers = sorted(set(wanted.values_list("abstract_target_id", flat=True)))
    done, missing = 0, []
    for target in numbers:
        here, gone = _rebuild(target)
        done += here
        missing += gone
    return Rebuilt(targets=len(numbers), harvests=done, missing=tuple(missing))


def _rebuild(target: int) -> tuple[int, list[int]]:
    """One target: the new history takes the place of the old one when it is whole."""
    file = history_file(settings.OPILIO.home, target)
    fresh = file.with_suffix(".new")
    _remove(fresh)
    done, missing = 0, []
    rows = Harvest.objects.filter(abstract_target_id=target, state__in=GOOD).order_by("started_at", "id")
    for row in rows.iterator():
        folder = folder_of(row.pk)
        if not folder.sealed():
            missing.append(row.pk)
            continue
        at = (row.started_at or row.scheduled_at).timestamp()
        keep_changes(row.pk, tallied(fresh, folder, harvest=row.pk, at=at))
        done += 1
    with mapped(file):
        if done:
            fresh.replace(file)
    return done, missing


def _remove(path: Path) -> None:
    with mapped(path):
        path.unlink(missing_ok=True)
