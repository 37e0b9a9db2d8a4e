"""Whose a delivery is, for whoever asks what may be done with it."""

from opilio.people.privileges import SYSTEM_WIDE, Subject
from opilio.tracker.models import Delivery


def subject_of(row: Delivery) -> Subject:
    """The agency of its centre, or nobody's: then only those who reach everything."""
    centre = row.zip.centre
    return Subject(agency=centre.agency_id) if centre is not None else SYSTEM_WIDE
