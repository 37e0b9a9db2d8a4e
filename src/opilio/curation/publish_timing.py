"""When the public index is published by itself: something was decided since, and the last time is long enough ago."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from opilio.curation.models import Publication
from opilio.curation.publishing import endorsed
from opilio.people.parameters import value

_AFTER_FAILURE = timedelta(hours=1)


def due(now: datetime) -> bool:
    """Whether a publication should begin now."""
    hours = int(value("publish_hours"))
    last = Publication.objects.order_by("-id").first()
    if hours == 0 or (last is not None and (last.ended_at is None or now - last.begun_at < _rest(last, hours))):
        return False
    done = Publication.objects.filter(state="done").order_by("-id").first()
    return chosen(now) != held(done)


def chosen(now: datetime) -> dict[str, int]:
    """For each harvest that is to be published the number of its result."""
    return {str(row.harvest_id): row.number for row in endorsed(now)}


def held(row: Publication | None) -> Mapping[str, int]:
    """For each harvest that a publication holds the number of its result."""
    found: Mapping[str, int] = row.details.get("results", {}) if row is not None else {}
    return found


def _rest(last: Publication, hours: int) -> timedelta:
    return min(_AFTER_FAILURE, timedelta(hours=hours)) if last.failure else timedelta(hours=hours)
