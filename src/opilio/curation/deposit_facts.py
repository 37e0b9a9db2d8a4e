"""What the description of a package says: what was frozen for its harvest, and what happened to it since."""

from collections.abc import Iterator

from opilio import __version__
from opilio.archive.mets.values import Happening, PackageFacts, Remark, Step
from opilio.curation import snapshots
from opilio.curation.deposit_takedowns import withheld
from opilio.curation.models import Deposit, Harvest, HarvestFigures, ObjectType, PreservationEvent, Result, Snapshot
from opilio.people.actor import system
from opilio.people.queries.records import annotations
from opilio.works.archive_results import identifier_of_harvest

_SYSTEM = "system"
_FIGURES = (
    "job_name", "status", "average_kb", "average_urls", "data_amount", "elapsed", "urls_down", "urls_failed", "alerts",
)  # fmt: skip


def facts_of(deposit: Deposit) -> PackageFacts:
    """The facts of a deposit; the same for each try, whatever was edited since the harvest was frozen."""
    harvest = deposit.harvest
    sections = snapshots.sections(harvest.pk)
    frozen = Snapshot.objects.get(harvest_id=harvest.pk)
    steps = tuple(_steps(harvest, deposit.result))
    numbers = [step.number for step in steps]
    return PackageFacts(
        identifier=f"{identifier_of_harvest(harvest.pk)}/result/{deposit.result}", harvest=harvest.pk,
        result=deposit.result, sections=sections, snapshot_digest=frozen.digest, frozen_at=frozen.made_at,
        packed_at=deposit.begun_at, packed_by=deposit.by.username if deposit.by else _SYSTEM,
        software=f"Opilio {__version__}", started_at=harvest.started_at, ended_at=harvest.ended_at,
        agent=harvest.agent_name, display=harvest.display, display_note=harvest.display_note,
        figures=_figures(harvest), reference=harvest.abstract_target.reference, steps=steps,
        events=tuple(_events(harvest, numbers, deposit)), remarks=tuple(_remarks(harvest, deposit)),
        withheld=tuple(withheld(harvest, deposit.begun_at)), answers=dict(deposit.answers),
    )  # fmt: skip


def _steps(harvest: Harvest, number: int) -> list[Step]:
    """The result and those that it is derived from, the first of them first."""
    rows = {row.number: row for row in Result.everything.filter(harvest=harvest).select_related("made_by")}
    found: list[Step] = []
    current: int | None = number
    while current is not None and (row := rows.pop(current, None)) is not None:
        found.insert(0, _step(row))
        current = row.derived_from
    return found


def _step(row: Result) -> Step:
    notes = tuple(row.modification_notes.order_by("position").values_list("note", flat=True))
    return Step(
        number=row.number, derived_from=row.derived_from, made_at=row.made_at,
        made_by=row.made_by.username if row.made_by else _SYSTEM, provenance=row.provenance_note, notes=notes,
        digest=row.digest,
    )  # fmt: skip


def _events(harvest: Harvest, numbers: list[int], deposit: Deposit) -> Iterator[Happening]:
    """Until the deposit began, so that each try at it tells the same."""
    rows = PreservationEvent.objects.filter(harvest=harvest, result__in=numbers, at__lte=deposit.begun_at)
    for row in rows.order_by("id"):
        yield Happening(
            identifier=f"event {row.pk}", result=row.result, kind=row.kind, at=row.at, outcome=row.outcome, by=row.by,
            detail=row.detail, software=row.software,
        )  # fmt: skip


def _remarks(harvest: Harvest, deposit: Deposit) -> Iterator[Remark]:
    kind = "group" if harvest.abstract_target.object_type == ObjectType.GROUP else "target"
    for about, identifier in (("harvest", harvest.pk), (kind, harvest.abstract_target_id)):
        rows = annotations(system(), about, identifier).filter(at__lte=deposit.begun_at)
        for row in rows.select_related("author").order_by("at", "id"):
            yield Remark(about=about, at=row.at, by=row.author.username, text=row.note)


def _figures(harvest: Harvest) -> dict[str, object]:
    row = HarvestFigures.objects.filter(harvest=harvest).first()
    return {name: getattr(row, name) for name in _FIGURES} if row is not None else {}
