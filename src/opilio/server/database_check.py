"""Whether the database holds together: the engine's own checks, the rows, the audit chain, the archive's files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Exists, F, Max, OuterRef

from opilio.catalogue.curated import Curated, curated_models
from opilio.catalogue.identified import Identified
from opilio.catalogue.identifiers import BLOCK
from opilio.catalogue.models import IdBlock
from opilio.kernel.settings import Settings
from opilio.people import seals
from opilio.people.kinds import kinds
from opilio.server import later_files
from opilio.server.backups import archive, containers, manifest
from opilio.server.backups.work import Step

_MOST = 100  # faults named per check
_INVALID = "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid"
_NOT_VALIDATED = "SELECT conname FROM pg_constraint WHERE NOT convalidated"


@dataclass(frozen=True, kw_only=True)
class Checked:
    """One check, and what is wrong by it."""

    check: str
    words: str
    faults: tuple[str, ...]


def run(settings: Settings, against: Path | None, *, step: Step) -> list[Checked]:
    """All checks, one after the other."""
    advance = step("Checking the database")
    found = []
    for number, (name, words, check) in enumerate(_CHECKS):
        advance(number, len(_CHECKS))
        found.append(Checked(check=name, words=words, faults=tuple(_first(check()))))
    words = "harvests and results of the home folder have their rows"
    found.append(Checked(check="home", words=words, faults=tuple(_first(later_files.later(settings.home)))))
    if against is not None:
        step("Checking the archive")
        with containers.opened(against, settings.home) as folder:
            listed = manifest.read(folder).archive
        words = f"{len(listed)} files against the manifest of {against.name}"
        found.append(Checked(check="archive", words=words, faults=tuple(_first(archive.faults(settings.home, listed)))))
    return found


def _integrity() -> Iterator[str]:
    """What the engine itself can find."""
    if connection.vendor == "sqlite":
        rows = _asked(f"PRAGMA integrity_check({_MOST})")
        yield from (row for row in rows if row != "ok")
        yield from (f"table {row} holds a reference to a missing row" for row in _asked("PRAGMA foreign_key_check"))
    else:
        yield from (f"index {row} is invalid" for row in _asked(_INVALID))
        yield from (f"constraint {row} was never validated" for row in _asked(_NOT_VALIDATED))


def _kinds() -> Iterator[str]:
    known = {kind.model for kind in kinds()}
    common = {parent for model in known for parent in model._meta.get_parent_list()}  # of targets and groups
    unknown = (model for model in curated_models(apps.get_models()) if model not in known | common)
    return (f"{model.__name__} is no known kind" for model in unknown)


def _metacolumns() -> Iterator[str]:
    for model in curated_models(apps.get_models()):
        rows: int = model.everything.filter(updated__lt=F("created")).count()
        if rows:
            yield f"{rows} rows of {model._meta.db_table} were updated before they were created"
        rows = model.everything.filter(version__lt=1).count()
        if rows:
            yield f"{rows} rows of {model._meta.db_table} have no version"


def _identifiers() -> Iterator[str]:
    """An identifier beyond the reserved blocks would be given a second time."""
    blocks = dict(IdBlock.objects.values_list("kind", "value"))
    for model in _identified():
        newest = model._base_manager.aggregate(newest=Max("id"))["newest"]
        if newest is not None and newest >= blocks.get(model.id_kind(), 1) * BLOCK:
            yield f"{model._meta.db_table} has the identifier {newest}, which was never reserved"


def _pinned() -> Iterator[str]:
    """Rows that name another by kind and identifier, where no key of the database guards it."""
    models: dict[str, type[Curated]] = {kind.name: kind.model for kind in kinds()}
    for model in apps.get_models():
        columns = {field.name for field in model._meta.concrete_fields}
        if {"subject_type", "subject_id"} <= columns and issubclass(model, Curated):
            yield from _orphans(model, models)


def _references() -> Iterator[str]:
    """References that no key of the database guards, because the rows that they lead to are never removed."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if not getattr(field, "db_constraint", True):
                yield from _dangling(model, field)


def _dangling(model: Any, field: Any) -> Iterator[str]:
    there = field.related_model._base_manager.filter(pk=OuterRef(field.attname))
    lost = model._base_manager.filter(~Exists(there), **{f"{field.name}__isnull": False}).order_by("pk")
    table, other = model._meta.db_table, field.related_model._meta.db_table
    yield from (f"{table} {row} leads to {other} {to}, which is not there"
                for row, to in lost.values_list("pk", field.attname)[:_MOST])  # fmt: skip


def _orphans(model: Any, models: dict[str, type[Curated]]) -> Iterator[str]:
    table = model._meta.db_table
    for name in model.everything.order_by().values_list("subject_type", flat=True).distinct():
        if name not in models:
            yield f"{table} holds rows about the unknown kind {name!r}"
            continue
        there = models[name].everything.values("id")
        lost = model.everything.filter(subject_type=name).exclude(subject_id__in=there)
        yield from (f"{table} {row} is about {name} {about}, which is not there"
                    for row, about in lost.values_list("id", "subject_id")[:_MOST])  # fmt: skip


def _chain() -> Iterator[str]:
    return (f"number {one.number}, entry {one.entry}: {one.what}" for one in seals.verify().faults)


_CHECKS = (
    ("integrity", "files, indexes and references, by the database itself", _integrity),
    ("references", "references that the database does not guard lead to rows", _references),
    ("kinds", "every table that people edit can be restored and audited", _kinds),
    ("metacolumns", "times and versions of rows", _metacolumns),
    ("identifiers", "no identifier can be given twice", _identifiers),
    ("pinned notes", "what is pinned to a row has its row", _pinned),
    ("audit chain", "no entry was changed or removed", _chain),
)


def _identified() -> list[type[Identified]]:
    return [model for model in apps.get_models() if issubclass(model, Identified)]


def _asked(statement: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [str(row[0]) for row in cursor.fetchall()]


def _first(faults: Iterator[str]) -> list[str]:
    return [fault for _, fault in zip(range(_MOST), faults, strict=False)]
