"""Copies a target with what belongs to it, within the action under way."""

from opilio.curation import linking, overriding
from opilio.curation.models import Credential, DublinCore, ExcludedUrl, Linked, Seed, State, Target
from opilio.curation.models.dublin_core import ELEMENTS
from opilio.people.acting import Act

_COLUMNS = (
    "object_type", "description", "reference", "agency_id", "profile_id", "profile_note", "access_zone", "display",
    "display_note", "run_on_approval", "evaluation_note", "selection_note", "selection_type", "harvest_type",
    "request_to_archivists", "allow_early_start", "embargo_days", "follow_reference", "prune_again",
)  # fmt: skip
_OF_SEED = ("url", "host", "primary", "active", "root", "depth_limit", "page_limit", "append", "position")
_LONGEST_NAME = 255


def copied(act: Act, source: Target, *, name: str, owner_id: int) -> Target:
    """A pending target like the source; without a name it is called a copy."""
    made = Target(
        name=name or free_name(source), owner_id=owner_id, state=State.PENDING, state_since=act.clock.now(),
        **{column: getattr(source, column) for column in _COLUMNS},
    )  # fmt: skip
    act.insert(made, message=f"Copied from {source.name}.")
    overriding.copy_overrides(act, source.overrides, made)
    _copy_description(act, source, made)
    _copy_seeds(act, source, made)
    for row in ExcludedUrl.objects.filter(target=source):
        act.insert(ExcludedUrl(target=made, url=row.url, reason=row.reason))
    return made


def free_name(source: Target) -> str:
    """“Copy of …”, with a number when that is taken."""
    taken = set(
        Target.objects.filter(agency_id=source.agency_id, name__startswith="Copy ").values_list("name", flat=True)
    )
    number = 1
    while True:
        start = f"Copy {number} of " if number > 1 else "Copy of "
        name = f"{start}{source.name}"[:_LONGEST_NAME]
        if name not in taken:
            return name
        number += 1


def _copy_description(act: Act, source: Target, made: Target) -> None:
    if source.dublin_core is not None:
        core = act.insert(DublinCore(**{name: getattr(source.dublin_core, name) for name in ELEMENTS}))
        made.dublin_core = core
        made.save(update_fields=["dublin_core"])


def _copy_seeds(act: Act, source: Target, made: Target) -> None:
    own = {_known(row): row for row in Credential.objects.filter(overrides_id=made.overrides_id or 0)}
    for seed in Seed.objects.filter(target=source).select_related("credential").order_by("position", "id"):
        credential = own.get(_known(seed.credential)) if seed.credential else None
        values = {name: getattr(seed, name) for name in _OF_SEED}
        twin = act.insert(Seed(target=made, credential=credential, **values))
        for link in seed.links.filter(permission__deleted=False):
            linking.link(act, twin, link.permission_id, Linked(link.linked))


def _known(row: Credential) -> tuple[object, ...]:
    return (row.position, row.kind, row.domain, row.username, row.header_name)
