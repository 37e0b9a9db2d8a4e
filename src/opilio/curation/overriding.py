"""The rows of overrides: made when first needed, copied with their patterns and credentials, read as plain values."""

from opilio.crawl.plan import RobotsPolicy
from opilio.curation import credentials
from opilio.curation.models import AbstractTarget, Credential, Harvest, OverridePattern, Overrides, PatternUse
from opilio.curation.override_columns import COLUMNS, SWITCHES
from opilio.curation.overrides import OverrideValues
from opilio.curation.profile_settings import Politeness
from opilio.people.acting import Act


def overrides_for(act: Act, row: AbstractTarget | Harvest) -> Overrides:
    """The overrides of a target, group or harvest; made, with every switch off, when there are none."""
    if row.overrides is not None:
        return row.overrides
    made = act.insert(Overrides())
    row.overrides = made
    row.save(update_fields=["overrides"])
    return made


def copy_overrides(act: Act, source: Overrides | None, into: AbstractTarget | Harvest) -> Overrides | None:
    """Give a target, group or harvest the same overrides as another has; None when there are none."""
    if source is None:
        return None
    made = overrides_for(act, into)
    act.update(made, {name: getattr(source, name) for name in COLUMNS})
    OverridePattern.objects.filter(overrides=made).delete()
    OverridePattern.objects.bulk_create(
        OverridePattern(overrides=made, use=row.use, position=row.position, expression=row.expression)
        for row in OverridePattern.objects.filter(overrides=source)
    )
    for credential in Credential.objects.filter(overrides=source):
        credentials.copy(act, credential, made)
    return made


def values_of(row: Overrides | None) -> OverrideValues:
    """The overrides of a row as plain values."""
    if row is None:
        return OverrideValues()
    patterns = list(OverridePattern.objects.filter(overrides=row))
    return OverrideValues(
        robots_policy=RobotsPolicy(row.robots_policy), politeness=Politeness(row.politeness),
        max_seconds=row.max_seconds, max_bytes=row.max_bytes, max_documents=row.max_documents,
        max_path_depth=row.max_path_depth, max_hops=row.max_hops,
        excluded_mime_types=tuple(row.excluded_mime_types.split()), exclusions=_of(patterns, PatternUse.EXCLUDE),
        inclusions=_of(patterns, PatternUse.INCLUDE), on=_switched(row),
    )  # fmt: skip


def _of(patterns: list[OverridePattern], use: PatternUse) -> tuple[str, ...]:
    return tuple(row.expression for row in patterns if row.use == use)


def _switched(row: Overrides) -> frozenset[str]:
    return frozenset(name.removeprefix("overrides_") for name in SWITCHES if getattr(row, name))
