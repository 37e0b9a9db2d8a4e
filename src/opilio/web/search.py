"""The search box: one look into everything that has a name, already cut down to what the asker may see."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from opilio.curation.queries import groups, harvests, permissions, profiles, rights, targets
from opilio.people.actor import Actor
from opilio.people.queries import people
from opilio.web.links import path_of
from opilio.web.lists.containing import contain
from opilio.web.sections import BY_NAME

LONGEST = 100  # characters
SHOWN = 10  # of each kind
_MOST_WORDS = 5


@dataclass(frozen=True, kw_only=True)
class Searched:
    """A kind of row that can be found."""

    kind: str
    section: str
    rows: Callable[[Actor], QuerySet[Any]]
    columns: tuple[str, ...]
    note: Callable[[Any], str]
    narrowed: Callable[[QuerySet[Any], Q, int], QuerySet[Any]] | None = None  # where a plain filter would be slow


@dataclass(frozen=True, kw_only=True)
class Hit:
    """Something found."""

    name: str
    path: str
    note: str


@dataclass(frozen=True, kw_only=True)
class Group:
    """What was found of one kind."""

    label: str
    icon: str
    path: str
    hits: list[Hit]
    more: bool


SEARCHED: tuple[Searched, ...] = (
    Searched(
        kind="target", section="targets", rows=targets.targets, columns=("name", "reference"),
        note=lambda row: f"{row.get_state_display().lower()} · {row.agency.name}",
    ),
    Searched(
        kind="group", section="groups", rows=groups.groups, columns=("name", "reference"),
        note=lambda row: f"{row.get_state_display().lower()} · {row.agency.name}",
    ),
    Searched(
        kind="seed", section="targets", rows=targets.seeds_named, columns=("url",), note=lambda row: row.target_name,
    ),
    Searched(
        kind="user", section="users", rows=people.users, columns=("username", "first_name", "last_name", "email"),
        note=lambda row: f"{row.real_name} · {row.agency.name}",
    ),
    Searched(
        kind="agency", section="agencies", rows=people.agencies, columns=("name", "email"),
        note=lambda row: row.url,
    ),
    Searched(
        kind="role", section="roles", rows=people.roles, columns=("name", "description"),
        note=lambda row: row.agency.name,
    ),
    Searched(
        kind="authorisation", section="authorisations", rows=rights.authorisations, columns=("title", "order_number"),
        note=lambda row: row.agency.name,
    ),
    Searched(
        kind="authorising-agent", section="authorising-agents", rows=rights.agents,
        columns=("name", "contact", "email"), note=lambda row: row.agency.name,
    ),
    Searched(
        kind="permission", section="permissions", rows=permissions.permissions,
        columns=("display_name", "file_reference", "authorisation__title"), note=lambda row: row.authorisation.title,
    ),
    Searched(
        kind="harvest", section="harvests", rows=harvests.harvests, narrowed=harvests.of_holders_named,
        columns=("name",), note=lambda row: f"{row.get_state_display().lower()} · {row.agency.name}",
    ),
    Searched(
        kind="profile", section="profiles", rows=profiles.profiles, columns=("name", "description"),
        note=lambda row: row.agency.name,
    ),
)  # fmt: skip


def found(actor: Actor, words: str) -> list[Group]:
    """The hits by kind; kinds without a hit are left out."""
    asked = "".join(letter for letter in words if letter.isprintable()).split()[:_MOST_WORDS]
    if not asked:
        return []
    groups = (_group(actor, one, asked) for one in SEARCHED if BY_NAME[one.section].open_to(actor))
    return [group for group in groups if group.hits]


def _group(actor: Actor, one: Searched, words: list[str]) -> Group:
    rows = one.rows(actor)
    if one.narrowed is not None:
        rows = one.narrowed(rows, Q(*(_any(one.columns, word) for word in words)), SHOWN + 1)
    else:
        rows = _named(rows, Q(*(contain(rows.model, one.columns, word) for word in words)), SHOWN + 1)
    hits = [Hit(name=str(row), path=path_of(one.kind, row.pk), note=one.note(row)) for row in rows[: SHOWN + 1]]
    where = BY_NAME[one.section]
    return Group(label=where.label, icon=where.icon, path=where.path, hits=hits[:SHOWN], more=len(hits) > SHOWN)


def _named(rows: QuerySet[Any], condition: Q, most: int) -> QuerySet[Any]:
    """The keys are found first, without what is joined and counted for each row."""
    return rows.filter(pk__in=rows.filter(condition).values("pk")[:most])


def _any(columns: tuple[str, ...], word: str) -> Q:
    condition = Q()
    for column in columns:
        condition |= Q(**{f"{column}__icontains": word})
    return condition
