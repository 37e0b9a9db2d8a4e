"""Add, change, link and import the seeds of targets; deleting one is `row.delete`."""

from dataclasses import dataclass
from typing import Any

from opilio.curation import linking, seeding, targeting
from opilio.curation.kinds import SEED, TARGET
from opilio.curation.models import Linked, Permission, Seed, Target
from opilio.curation.seed_lists import BadLine, read_list
from opilio.curation.seeding import FIELDS, Link
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege

__all__ = ["FIELDS", "Link", "ListTaken", "add_seed", "import_seeds", "link_seed", "match_seed", "unlink_seed",
           "update_seed"]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ListTaken:
    """What became of a list of seeds."""

    added: tuple[int, ...]  # identifiers; empty when nothing was done
    good: int  # lines that name a new seed
    faults: tuple[BadLine, ...]
    done: bool


@action("seed.add", "Add a seed to a target, and link it with permissions.", privilege=Privilege.MODIFY_TARGET)
def add_seed(
    act: Act, /, *, target_id: int, url: str, link: Link = Link.AUTO, permission_id: int | None = None, **fields: Any
) -> Seed:
    """An approved target is decided upon again unless whoever adds the seed may approve it."""
    target = _target(act, target_id, "add seeds to")
    seed = seeding.plant(act, target, url, link=link, permission_id=permission_id, **fields)
    targeting.touched(act, target)
    return seed


@action("seed.update", "Change a seed of a target.", privilege=Privilege.MODIFY_TARGET)
def update_seed(act: Act, /, *, seed_id: int, version: int, **fields: Any) -> Seed:
    """With another URL, the links that URL patterns gave are looked up anew; links by hand stay."""
    seed = _seed(act, seed_id, "change")
    if seeding.changed(act, seed, version, fields):
        targeting.touched(act, seed.target)
    return seed


@action("seed.link", "Let a seed rely on a permission.", privilege=Privilege.MODIFY_TARGET)
def link_seed(act: Act, /, *, seed_id: int, permission_id: int) -> Seed:
    """Any permission of the agency, whether its patterns match or not; one of another agency is refused."""
    seed = _seed(act, seed_id, "link")
    picked = Permission.objects.filter(id=permission_id, quick_pick=True).exists()
    linking.link(act, seed, permission_id, Linked.QUICK_PICK if picked else Linked.MANUAL)
    targeting.touched(act, seed.target)
    return seed


@action("seed.unlink", "Let a seed rely on a permission no longer.", privilege=Privilege.MODIFY_TARGET)
def unlink_seed(act: Act, /, *, seed_id: int, permission_id: int) -> Seed:
    """The permission itself stays as it is."""
    seed = _seed(act, seed_id, "unlink")
    if linking.unlink(act, seed, permission_id):
        targeting.touched(act, seed.target)
    return seed


@action("seed.match", "Link a seed with every permission that matches it.", privilege=Privilege.MODIFY_TARGET)
def match_seed(act: Act, /, *, seed_id: int) -> int:
    """How many permissions match it now."""
    seed = _seed(act, seed_id, "link")
    before = seed.links.count()
    found = seeding.relink(act, seed)
    if seed.links.count() != before:
        targeting.touched(act, seed.target)
    return found


@action("seed.import", "Add the seeds of a list to a target.", privilege=Privilege.MODIFY_TARGET)
def import_seeds(
    act: Act, /, *, target_id: int, text: str, link: Link = Link.AUTO, permission_id: int | None = None,
    only_good: bool = False,
) -> ListTaken:  # fmt: skip
    """One URL on each line. With bad lines nothing is added, unless only the good ones are asked for."""
    target = _target(act, target_id, "add seeds to")
    found = read_list(text, known=Seed.objects.filter(target=target).values_list("url", flat=True))
    if not found.urls or (found.faults and not only_good):
        return ListTaken(added=(), good=len(found.urls), faults=found.faults, done=False)
    added = tuple(seeding.plant(act, target, url, link=link, permission_id=permission_id).id for url in found.urls)
    targeting.touched(act, target)
    return ListTaken(added=added, good=len(added), faults=found.faults, done=True)


def _target(act: Act, target_id: int, what: str) -> Target:
    target: Target = act.fetch(TARGET, target_id)
    act.require(Privilege.MODIFY_TARGET, TARGET.subject(target), f"{what} the target {target.name}")
    return target


def _seed(act: Act, seed_id: int, verb: str) -> Seed:
    seed: Seed = act.fetch(SEED, seed_id)
    act.require(Privilege.MODIFY_TARGET, SEED.subject(seed), f"{verb} the seed {seed.url}")
    return seed
