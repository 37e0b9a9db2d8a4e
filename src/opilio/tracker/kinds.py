"""The kinds of the tracker's rows, for what works on any curated row: delete, restore, annotate, audit."""

from typing import Any

from opilio.people.kinds import Kind, register
from opilio.people.privileges import Privilege, Subject
from opilio.tracker.models import Centre, Source


def _of_agency(row: Any) -> Subject:
    return Subject(agency=row.agency_id)


CENTRE = register(Kind(
    name="centre", label="Centre", plural="Centres", model=Centre, privilege=Privilege.MANAGE_SOURCES,
    subject=_of_agency, agency_path="agency_id",
))  # fmt: skip
SOURCE = register(Kind(
    name="source", label="Source", plural="Sources", model=Source, privilege=Privilege.MANAGE_SOURCES,
    subject=lambda row: _of_agency(row.centre), agency_path="centre__agency_id",
))  # fmt: skip
