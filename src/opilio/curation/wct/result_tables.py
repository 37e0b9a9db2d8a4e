"""Results of harvests, their notes, files and resources (seed D §3.2.2), which come without the files themselves.

The resources of results that were made here lie in the file of each result; only those that were imported are rows.
"""

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from opilio.curation.models import HarvestFile, ImportedResource, ModificationNote, Result, ResultState
from opilio.curation.wct.drafts import Draft
from opilio.curation.wct.errors import Refused
from opilio.curation.wct.tables import Column, Table, Taken, Unique
from opilio.curation.wct.taking import Taking
from opilio.curation.wct.values import FLAG, MOMENT, NUMBER

_LARGEST = 2**31 - 1
#: What was under way over there cannot go on here.
_SETTLED = {
    ResultState.INDEXING: ResultState.UNASSESSED, ResultState.CRAWLING: ResultState.ABORTED,
    ResultState.MODIFYING: ResultState.ABORTED,
}  # fmt: skip
_RESULT = "AHF_ARC_HARVEST_RESULT_ID"


def _result(taking: Taking, draft: Draft) -> None:
    values = draft.values
    if not 1 <= values["number"] <= _LARGEST:
        raise Refused(f"{values['number']} is no number of a result", column="HR_HARVEST_NO")
    settled = _SETTLED.get(ResultState(values["state"]))
    if settled is not None:
        was = ResultState(values["state"]).label.lower()
        taking.note(draft, f"it was {was} over there; here it is {settled.label.lower()}", "HR_STATE")
        values["state"] = settled.value
    for name, column in (("position", "HR_INDEX"), ("derived_from", "HR_DERIVED_FROM")):
        if values[name] is not None and not 0 <= values[name] <= _LARGEST:
            taking.note(draft, f"{values[name]} is out of range; left empty", column)
            values[name] = 0 if name == "position" else None
    values["made_at"] = values["made_at"] or taking.at
    values |= {"state_since": values["made_at"], "imported": True, "change": {}}


def _file(taking: Taking, draft: Draft) -> None:
    """A file belongs to a harvest, and tells by which of its results it came."""
    found = Result.everything.filter(pk=draft.values.pop(_RESULT)).values_list("harvest_id", "number").first()
    if found is None:
        raise Refused("there is no such result", column=_RESULT)
    draft.values["harvest_id"], draft.values["result"] = found


def _files() -> QuerySet[Any]:
    rows = Result.objects.filter(harvest_id=OuterRef("harvest_id"), number=OuterRef("result")).values("pk")[:1]
    files = HarvestFile.objects.filter(harvest__deleted=False)
    return files.annotate(result_row=Subquery(rows)).filter(result_row__isnull=False)


def _resource(taking: Taking, draft: Draft) -> None:
    status = draft.values["status"]
    if status is not None and abs(status) > _LARGEST:
        taking.note(draft, f"{status} is no status; left empty", "HRC_STATUS_CODE")
        draft.values["status"] = None


HARVEST_RESULT = Table(
    name="HARVEST_RESULT", model=Result, key="HR_OID", prepare=_result,
    rows=lambda: Result.objects.filter(harvest__deleted=False),
    columns=(
        Column(name="HR_HARVEST_NO", field="number", kind=NUMBER, need=True),
        Column(name="HR_TARGET_INSTANCE_ID", field="harvest_id", ref="TARGET_INSTANCE", need=True),
        Column(name="HR_PROVENANCE_NOTE", field="provenance_note"),
        Column(name="HR_CREATED_DATE", field="made_at", kind=MOMENT, blank=None),
        Column(name="HR_CREATED_BY_ID", field="made_by_id", ref="WCTUSER"),
        Column(name="HR_STATE", field="state", kind=NUMBER, blank=ResultState.UNASSESSED.value,
               codes={str(one.value): one.value for one in ResultState}),
        Column(name="HR_INDEX", field="position", kind=NUMBER, blank=0),
        Column(name="HR_DERIVED_FROM", field="derived_from", kind=NUMBER, blank=None),
    ),
)  # fmt: skip
#: Says only that a result has files, which all of ours have.
ARC_HARVEST_RESULT = Table(
    name="ARC_HARVEST_RESULT", model=Result, key="AHRS_HARVEST_RESULT_OID", extends="HARVEST_RESULT",
    rows=lambda: Result.objects.filter(harvest__deleted=False),
    columns=(Column(name="AHRS_HARVEST_RESULT_OID", ref="HARVEST_RESULT", need=True, show=lambda row: row.pk),),
)  # fmt: skip
HR_MODIFICATION_NOTE = Table(
    name="HR_MODIFICATION_NOTE", model=ModificationNote, natural=("result_id", "position"),
    rows=lambda: ModificationNote.objects.filter(result__deleted=False, result__harvest__deleted=False),
    columns=(
        Column(name="HMN_HR_OID", field="result_id", ref="HARVEST_RESULT", need=True),
        Column(name="HMN_INDEX", field="position", kind=NUMBER, need=True),
        Column(name="HMN_NOTE", field="note"),
    ),
)  # fmt: skip
ARC_HARVEST_FILE = Table(
    name="ARC_HARVEST_FILE", model=HarvestFile, key="AHF_OID", prepare=_file, rows=_files,
    unique=Unique(fields=("harvest_id", "name"), taken=Taken.RENAME),
    columns=(
        Column(name="AHF_COMPRESSED", field="compressed", kind=FLAG, blank=True),
        Column(name="AHF_NAME", field="name", need=True),
        Column(name=_RESULT, ref="ARC_HARVEST_RESULT", need=True, show=lambda row: row.result_row),
    ),
)  # fmt: skip
HARVEST_RESOURCE = Table(
    name="HARVEST_RESOURCE", model=ImportedResource, key="HRC_OID", prepare=_resource,
    rows=lambda: ImportedResource.objects.filter(result__deleted=False, result__harvest__deleted=False),
    columns=(
        Column(name="HRC_LENGTH", field="length", kind=NUMBER, blank=0),
        Column(name="HRC_NAME", field="name", need=True),
        Column(name="HRC_HARVEST_RESULT_OID", field="result_id", ref="HARVEST_RESULT", need=True),
        Column(name="HRC_STATUS_CODE", field="status", kind=NUMBER, blank=None),
    ),
)  # fmt: skip
ARC_HARVEST_RESOURCE = Table(
    name="ARC_HARVEST_RESOURCE", model=ImportedResource, key="AHRC_HARVEST_RESOURCE_OID", extends="HARVEST_RESOURCE",
    rows=lambda: ImportedResource.objects.filter(result__deleted=False, result__harvest__deleted=False),
    columns=(
        Column(name="AHRC_HARVEST_RESOURCE_OID", ref="HARVEST_RESOURCE", need=True, show=lambda row: row.pk),
        Column(name="AHRC_RESOURCE_LENGTH", field="record_length", kind=NUMBER, blank=None),
        Column(name="AHRC_RESOURCE_OFFSET", field="offset", kind=NUMBER, blank=None),
        Column(name="AHRC_ARC_FILE_NAME", field="file"),
        Column(name="AHRC_COMPRESSED_YN", field="compressed", kind=FLAG, blank=True),
    ),
)  # fmt: skip
