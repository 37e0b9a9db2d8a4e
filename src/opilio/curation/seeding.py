"""Plants seeds in targets and links them with permissions, within the action under way."""

from enum import StrEnum
from typing import Any

from opilio.curation import linking
from opilio.curation.models import Credential, Linked, Permission, Seed, SeedPermission, Target
from opilio.curation.seed_urls import append_string, host_of, page_url, root_string
from opilio.people.acting import Act
from opilio.people.errors import InvalidFields

#: What of a seed people fill in, beside its URL.
FIELDS = ("primary", "active", "root", "depth_limit", "page_limit", "append", "credential_id", "position")


class Link(StrEnum):
    """How a new seed comes to its permissions."""

    AUTO = "auto"  # every permission whose URL patterns match
    LATER = "later"  # none yet
    PERMISSION = "permission"  # a quick pick, or one that was looked for


def plant(
    act: Act, target: Target, url: str, *, link: Link = Link.AUTO, permission_id: int | None = None, **fields: Any
) -> Seed:
    """Add a seed to a target; the first one stands for it unless told otherwise."""
    place = page_url(url)
    others = Seed.objects.filter(target=target)
    last = others.order_by("-position").values_list("position", flat=True).first()
    fresh = {"primary": last is None, "position": 0 if last is None else last + 1}
    values = {**fresh, **checked(act, target, fields)}
    seed = act.insert(Seed(target=target, url=place, host=host_of(place), **values))
    join(act, seed, link, permission_id)
    return seed


def changed(act: Act, seed: Seed, version: int | None, fields: dict[str, Any]) -> bool:
    """Change a seed; with another URL, the links that its patterns gave are looked up anew."""
    values = checked(act, seed.target, fields)
    if fields.get("url") is not None:
        values["url"] = page_url(fields["url"])
        values["host"] = host_of(values["url"])
    moved = values.get("url", seed.url) != seed.url
    done = act.update(seed, values, version=version)
    if moved:
        relink(act, seed)
    return done


def checked(act: Act, target: Target, fields: dict[str, Any]) -> dict[str, Any]:
    """The known fields, brought into the form in which they are kept."""
    values = {name: value for name, value in fields.items() if name in FIELDS}
    for name, check in (("root", root_string), ("append", append_string)):
        if values.get(name) is not None:
            values[name] = check(values[name])
    if values.get("page_limit") == 0:  # as empty: no limit
        values["page_limit"] = None
    _check_credential(act, target, values.get("credential_id"))
    return values


def join(act: Act, seed: Seed, link: Link, permission_id: int | None) -> int:
    """Link a seed as was asked for; how many permissions it relies on by that."""
    if link == Link.AUTO:
        return linking.auto_link(act, seed)
    if link == Link.LATER:
        return 0
    if permission_id is None:
        raise InvalidFields({"permission": ["Choose a permission, or link the seed later."]}, where=act.name)
    picked = Permission.objects.filter(id=permission_id, quick_pick=True).exists()
    linking.link(act, seed, permission_id, Linked.QUICK_PICK if picked else Linked.MANUAL)
    return 1


def relink(act: Act, seed: Seed) -> int:
    """Drop what earlier patterns linked, and link what the patterns match now; links by hand stay."""
    for link in SeedPermission.objects.filter(seed=seed, linked=Linked.AUTO):
        linking.unlink(act, seed, link.permission_id)
    return linking.auto_link(act, seed)


def _check_credential(act: Act, target: Target, credential_id: int | None) -> None:
    if credential_id is None:
        return
    own = Credential.objects.filter(id=credential_id, overrides_id=target.overrides_id or 0)
    if not own.exists():
        raise InvalidFields({"credential": ["Choose a credential of this target's overrides."]}, where=act.name)
