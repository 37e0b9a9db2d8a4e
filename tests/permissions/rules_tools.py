"""The table of who may do what with missing URLs, patches, imports and verdicts about pages."""

import json
from typing import Any

from opilio.curation import snapshots
from opilio.curation.actions import missing_urls, page_verdicts, patch_running, patches, result_imports
from opilio.curation.missing_urls import Wanted
from opilio.curation.models import (
    HarvestState,
    MissingFrom,
    MissingUrl,
    PatchState,
    Result,
    ResultState,
    Snapshot,
    SnapshotPart,
)
from opilio.people.privileges import Privilege
from tests.permissions.table import Place, Rule, open_to, owner_wide
from tests.review_desk import ReviewDesk

_ENDORSE = Privilege.ENDORSE_HARVEST
_URL = "http://www.site.example/lost.png"


def _result(place: Place, **options: Any) -> Result:
    desk = ReviewDesk(place.town)
    harvest = desk.harvested(desk.ready(agency=place.agency, owner=place.user), **options)
    made = Snapshot(harvest=harvest, made_at=desk.now, digest=snapshots.digest({"plan": "{}", "seeds": "[]"}))
    made.save()
    for key, value in {"plan": json.dumps({}), "seeds": "[]"}.items():
        SnapshotPart(snapshot=made, key=key, value=value).save()
    return Result.objects.get(harvest=harvest)


def _missing(place: Place, **fields: Any) -> MissingUrl:
    row = _result(place)
    wanted = Wanted(url=_URL)
    moments = ReviewDesk(place.town)._moments()
    made = MissingUrl(harvest=row.harvest, result=1, url=_URL, key=wanted.key, noticed="replay", **moments, **fields)
    made.save()
    return made


def _first(one: MissingUrl) -> int:
    return int(Result.objects.get(harvest=one.harvest_id).pk)


def _patching(place: Place) -> int:
    desk = ReviewDesk(place.town)
    row = desk.ready(agency=place.agency, owner=place.user)
    harvest = desk.harvested(row, state=HarvestState.PATCHING)
    return int(desk.result(harvest, 2, state=ResultState.CRAWLING, change={"patch": {}}).pk)


def _by_agents(call: Any) -> Rule:
    """Only agents do it, whatever people hold."""
    return open_to(call, "")


RULES: dict[str, Rule] = {
    "missing_url.add": owner_wide(_ENDORSE, lambda actor, place: missing_urls.add_missing(
        actor, result_id=_result(place).pk, text=_URL)),
    "missing_url.take": owner_wide(_ENDORSE, lambda actor, place: missing_urls.take_missing(
        actor, result_id=_result(place).pk, noticed=MissingFrom.EMBED, urls=[Wanted(url=_URL)])),
    "missing_url.again": owner_wide(_ENDORSE, lambda actor, place: missing_urls.wait_again(
        actor, missing_id=_missing(place, state=PatchState.FAILED).pk)),
    "missing_url.note": _by_agents(lambda actor, place: missing_urls.note_missing(
        actor, result_id=_result(place).pk, urls=[Wanted(url=_URL)])),
    "result.patch": owner_wide(_ENDORSE, lambda actor, place: patches.begin_patch(
        actor, result_id=_first(_missing(place)), note="It was lost.")),
    "result.import_url": owner_wide(_ENDORSE, lambda actor, place: patches.import_url(
        actor, result_id=_result(place).pk, url=_URL, note="It was lost.")),
    "result.end_patch": owner_wide(_ENDORSE, lambda actor, place: patches.end_patch(
        actor, result_id=_patching(place))),
    "result.import": owner_wide(_ENDORSE, lambda actor, place: result_imports.import_files(
        actor, result_id=_result(place).pk, files=["imports/a/b.warc.gz"], note="From the owner.")),
    "page.judge": owner_wide(_ENDORSE, lambda actor, place: page_verdicts.judge_page(
        actor, result_id=_result(place).pk, url=_URL, verdict="good", by=place.user.id)),
    "patch.begin": _by_agents(lambda actor, place: patch_running.begin(actor, result_id=_patching(place))),
    "patch.fetched": _by_agents(lambda actor, place: patch_running.fetched(
        actor, result_id=_patching(place), files=["patches/2/warcs/a.warc.gz"], outcomes={})),
    "patch.fail": _by_agents(lambda actor, place: patch_running.fail(
        actor, result_id=_patching(place), reason="Nothing came.")),
    "patch.trouble": _by_agents(lambda actor, place: patch_running.trouble(
        actor, result_id=_patching(place), reason="The disk is full.")),
    "patch.heal": _by_agents(lambda actor, place: patch_running.heal(actor, result_id=_patching(place))),
}  # fmt: skip
