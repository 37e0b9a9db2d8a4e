"""A large catalogue for the benchmark of the pages, written in bulk."""

import datetime
import itertools
from collections.abc import Iterator

from django.db import connection, transaction

from opilio.catalogue.identifiers import BLOCK, reserve_block
from opilio.kernel.clock import SYSTEM
from opilio.people.actions.agencies import create_agency
from opilio.people.actions.installation import create_first_user, prepare
from opilio.people.actor import system
from opilio.people.passwords import Policy

_AGENCIES = 20
_BATCH = 10_000


def fill(*, users: int, audit: int, password: str) -> None:
    """Twenty agencies, so many users and audit entries, and one administrator who sees all of them."""
    prepare(system())
    create_first_user(
        system(), agency_name="Library", username="administrator", password=password,
        policy=Policy(min_length=12, history=0),
    )  # fmt: skip
    agencies = [create_agency(system(), name=f"Agency {number:02d}").id for number in range(_AGENCIES)]
    insert("user", _users(users, agencies))
    insert("audit_entry", _entries(audit, agencies))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def insert(table: str, rows: Iterator[dict[str, object]]) -> None:
    """Write rows of a table, batch by batch; durable only once all is there."""
    while batch := list(itertools.islice(rows, _BATCH)):
        names = ", ".join(f'"{column}"' for column in batch[0])
        if connection.vendor == "postgresql":
            _copy(f'COPY "{table}" ({names}) FROM STDIN', batch)
            continue
        marks = ", ".join(["%s"] * len(batch[0]))
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous = OFF")
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(
                f'INSERT INTO "{table}" ({names}) VALUES ({marks})',  # noqa: S608 - our own names
                [list(row.values()) for row in batch],
            )


def _copy(statement: str, batch: list[dict[str, object]]) -> None:
    """PostgreSQL's own way for many rows."""
    with transaction.atomic(), connection.cursor() as cursor, cursor.copy(statement) as copying:
        for row in batch:
            copying.write_row(list(row.values()))


def numbers(kind: str) -> Iterator[int]:
    """Identifiers of a kind, without end."""
    while True:
        block = reserve_block(kind)
        yield from range(block * BLOCK, (block + 1) * BLOCK)


def _users(count: int, agencies: list[int]) -> Iterator[dict[str, object]]:
    now = SYSTEM.now()
    for number, identifier in zip(range(count), numbers("User"), strict=False):
        yield {
            "id": identifier, "username": f"user{number:05d}", "password": "!", "first_name": f"Given{number % 997}",
            "last_name": f"Family{number % 4999}", "title": "", "email": f"user{number:05d}@example.org", "phone": "",
            "address": "", "is_active": number % 10 != 0, "force_password_change": False, "external_auth": False,
            "agency_id": agencies[number % len(agencies)], "tasks_by_email": False, "notifications_by_email": False,
            "notify_on_general": True, "notify_on_warnings": False, "time_zone": "", "grants": "[]",
            "deleted": number % 50 == 7, "dirty": False, "created": now, "updated": now, "version": 1,
        }  # fmt: skip


def _entries(count: int, agencies: list[int]) -> Iterator[dict[str, object]]:
    start = SYSTEM.now() - datetime.timedelta(days=365)
    verbs = ("user.update", "signin.success", "signin.failure", "role.update", "task.claim")
    for number, identifier in zip(range(count), numbers("AuditEntry"), strict=False):
        yield {
            "id": identifier, "at": start + datetime.timedelta(seconds=number * 30), "action": verbs[number % 5],
            "subject_type": "user", "subject_id": 40_000 + number % 50_000,
            "subject_name": f"user{number % 50_000:05d}",
            "message": "", "user_id": 1, "username": f"user{number % 5_000:05d}", "first_name": "", "last_name": "",
            "agency_id": agencies[number % len(agencies)], "agency_name": f"Agency {number % len(agencies):02d}",
            "before": '{"phone": ""}', "after": '{"phone": "1"}', "correlation": "", "via": "page", "address": "",
        }  # fmt: skip
