"""The table of who may do what with bulk work, imports and reports."""

from typing import Any

from opilio.curation.actions import wct_import
from opilio.curation.bulk import actions as bulk
from opilio.curation.bulk.errors import NothingSelected
from opilio.curation.bulk.tables.staging import Line
from opilio.curation.wct import runs, uploads
from opilio.people.privileges import Privilege
from tests.curation import Desk
from tests.permissions.table import AGENCY, ALL, OWNER, Place, Rule, open_to, system_wide


def _prepared(place: Place) -> int:
    """Bulk work that the user of the place prepared, on a target of the agency."""
    held = place.town.role({Privilege.MODIFY_TARGET: ALL}, agency=place.agency)
    place.town.give(place.user, held)
    target = Desk(place.town).target(agency=place.agency, owner=place.user)
    asker = place.town.actor(place.user)
    return bulk.prepare_rows(asker, noun="target", verb="nominate", ids=[target.pk]).pk


def _started(place: Place) -> int:
    run = _prepared(place)
    return bulk.start(place.town.actor(place.user), run_id=run).pk


def _chosen(actor: Any, place: Place) -> object:
    target = Desk(place.town).target(agency=place.agency, owner=place.user)
    try:
        return bulk.prepare_rows(actor, noun="target", verb="nominate", ids=[target.pk])
    except NothingSelected as error:
        raise PermissionError from error


def _lines(place: Place) -> list[Line]:
    return [Line(place=2, name="New", cells={"agency": place.agency.name, "name": "New"})]


BULK: dict[str, Rule] = {
    "bulk.prepare": Rule(
        privilege=Privilege.MODIFY_TARGET, call=_chosen,
        reach={ALL: "own same other", AGENCY: "own same", OWNER: "own same", None: ""},
    ),
    "bulk.prepare_import": Rule(
        privilege=Privilege.MODIFY_TARGET, objects="own", reach={ALL: "own", AGENCY: "own", OWNER: "own", None: ""},
        call=lambda actor, place: bulk.prepare_import(actor, noun="target", lines=_lines(place), arguments={}),
    ),
    "bulk.start": Rule(
        privilege=Privilege.MODIFY_TARGET, reach={ALL: "own", AGENCY: "own", OWNER: "own", None: ""},
        objects="own same other", call=lambda actor, place: bulk.start(actor, run_id=_prepared(place)),
    ),
    "bulk.stop": open_to(lambda actor, place: bulk.stop(actor, run_id=_started(place)), "own"),
}  # fmt: skip
RULES: dict[str, Rule] = {**BULK}


def _dump() -> str:
    return uploads.keep("AGENCY.csv", [b"AGC_OID,AGC_NAME\r\n1,Archive\r\n"])


def _asked(place: Place) -> int:
    made = wct_import.ask(place.town.system, file=_dump(), dry_run=True)
    runs.finish(made.id, None, at=place.town.clock.now())
    return made.id


WCT: dict[str, Rule] = {
    "wct.import": system_wide(lambda a, p: wct_import.import_dump(a, path=uploads.named(_dump()), dry_run=True)),
    "wct.ask": system_wide(lambda a, p: wct_import.ask(a, file=_dump(), dry_run=True)),
    "wct.discard": system_wide(lambda a, p: wct_import.discard(a, import_id=_asked(p))),
}
RULES |= WCT
