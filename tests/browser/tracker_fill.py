"""Centres, sources and deliveries of several sessions; runs in a process of the installation."""

import datetime

from django.conf import settings

from opilio.deliveries.errors import SourceAway
from opilio.kernel.clock import SYSTEM
from opilio.people.actions import installation
from opilio.people.privileges import Privilege, Scope
from opilio.tracker.models import Delivery, DocumentFinding
from tests.browser.tracker_story import PARTNER, USERNAME
from tests.hub import Hub, experiments, specimens
from tests.people import Town

_HELD = (
    Privilege.VIEW_DELIVERIES, Privilege.MANAGE_DELIVERIES, Privilege.MANAGE_SOURCES, Privilege.RUN_SESSION,
)  # fmt: skip
_BROKEN = (
    '<centreSpecimenSet>\n  <centre centreID="J">\n    <mouse specimenID="M7" isBaseline="maybe" gender="male"\n'
    '           zygosity="homozygous" pipeline="P" project="X" phenotypingCentre="J" DOB="2024-02-31"/>\n'
    "    <rat/>\n  </centre>\n</centreSpecimenSet>\n"
)


def fill(town: Town | None = None) -> dict[str, int]:
    """Three sessions of which one failed, two centres, one of them without a delivery for long."""
    town = town or Town()
    installation.prepare(town.system)
    town.clock.at = SYSTEM.now() - datetime.timedelta(hours=9)
    town.user(USERNAME, privileges=dict.fromkeys(_HELD, Scope.ALL))
    town.user(PARTNER, privileges={Privilege.VIEW_DELIVERIES: Scope.AGENCY})
    hub = Hub(settings.OPILIO.home, town)
    for name, full in (("J", "Marsh Institute"), ("H", "Harbour Laboratory")):
        hub.centres[name].full_name = full
        hub.centres[name].save()
    hub.centres["H"].agency = town.museum
    hub.centres["H"].save()
    hub.source("H", "mirror", preference=5)
    hub.lay("J.2024-01-10.1.impc.zip", specimen=specimens("M1", "M2", "M3"))
    hub.lay("J.2024-01-11.1.impc.zip", experiment=experiments(("E1", "M1"), ("E2", "M9")))
    hub.lay("J.2024-02-30.1.impc.zip")
    hub.run()
    hub.clock.advance(3_600)
    hub.lay("J.2024-02-29.1.impc.zip", specimen=_BROKEN)
    hub.lay("J.2024-03-01.1.impc.zip", b"this is no archive")
    hub.run()
    hub.clock.advance(3_600)
    hub.lay("H.2024-03-02.1.impc.zip", centre="H", source="mirror", specimen=specimens("X1", centre="H"))
    hub.broken["H/mirror"] = SourceAway("The server hung up", where="H/mirror")
    hub.run()
    broken = Delivery.objects.get(zip__file_name="J.2024-02-29.1.impc.zip")
    finding = DocumentFinding.objects.filter(document__attempt__offering__delivery=broken)[0]
    return {"delivery": broken.pk, "document": finding.document_id}
