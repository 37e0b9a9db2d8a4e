"""The tables of the tracker."""

from opilio.tracker.models.centre import Centre, Source
from opilio.tracker.models.delivery import Attempt, Delivery, Offering, XmlDocument, ZipFile
from opilio.tracker.models.finding import DeliveryFinding, DocumentFinding, StandingChange
from opilio.tracker.models.record import LoadedRecord, UniqueValue
from opilio.tracker.models.reference import (
    FindingKind,
    PhaseRow,
    ProcessingType,
    Protocol,
    ResourceState,
    StatusRow,
)
from opilio.tracker.models.session import DeliverySession, SessionTask

__all__ = [
    "Attempt",
    "Centre",
    "Delivery",
    "DeliveryFinding",
    "DeliverySession",
    "DocumentFinding",
    "FindingKind",
    "LoadedRecord",
    "Offering",
    "PhaseRow",
    "ProcessingType",
    "Protocol",
    "ResourceState",
    "SessionTask",
    "Source",
    "StandingChange",
    "StatusRow",
    "UniqueValue",
    "XmlDocument",
    "ZipFile",
]
