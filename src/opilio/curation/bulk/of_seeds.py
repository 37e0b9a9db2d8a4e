"""Bulk work on seeds."""

from collections.abc import Mapping
from typing import Any

from opilio.curation.actions.seeds import match_seed, update_seed
from opilio.curation.bulk import choosing
from opilio.curation.bulk.tables.of_seeds import rows
from opilio.curation.bulk.verbs import Begin, Noun, Step, Subject, Verb, each
from opilio.people.actions.rows import delete_row
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege

_MODIFY = (Privilege.MODIFY_TARGET,)


def _switch(*, active: bool) -> Begin:
    def begin(actor: Actor, given: Mapping[str, Any]) -> Step:
        def step(subject: Subject) -> object:
            row = rows(actor).filter(pk=subject.row_id or 0).first()
            if row is None:
                raise NotFound(f"There is no seed {subject.row_id} that you may see", remedy="Was it deleted?")
            return update_seed(actor, seed_id=row.pk, version=row.version, active=active)

        return step

    return begin


SEEDS = Noun(
    name="seed", words=("seed", "seeds"), path="/targets", rows=rows,
    filters={
        "q": choosing.words("url", "target__name"),
        "agency": choosing.named("agency", "target__agency__name"),
        "target": choosing.named("target", "target__name"),
        "host": choosing.named("host", "host"),
        "state": choosing.state("active", {"active": True, "inactive": False}),
    },
    verbs=(
        Verb(
            name="activate", label="Activate", done="activated", icon="toggle-right", privileges=_MODIFY,
            warning="Harvests start there again.", begin=_switch(active=True),
        ),
        Verb(
            name="deactivate", label="Deactivate", done="deactivated", icon="toggle-left", privileges=_MODIFY,
            warning="No harvest starts there until they are activated.", begin=_switch(active=False),
        ),
        Verb(
            name="match", label="Look up permissions", done="looked up", icon="handshake", privileges=_MODIFY,
            warning="Each is linked with every permission whose URL patterns match.",
            begin=each(match_seed, "seed_id"),
        ),
        Verb(
            name="delete", label="Delete", done="deleted", icon="trash-2", danger=True, privileges=_MODIFY,
            warning="The last seed of an approved target stays. Deleted ones can be restored.",
            begin=each(delete_row, "row_id", kind_name="seed"),
        ),
    ),
)  # fmt: skip
