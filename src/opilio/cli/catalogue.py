"""Commands that work with the catalogue: its tables are checked first, errors of the database become ours."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from django.conf import settings as django_settings

from opilio.cli.command import Body, command
from opilio.cli.output import Answer
from opilio.kernel import logs
from opilio.kernel.settings import Settings
from opilio.people.actor import Actor, Via, system
from opilio.people.passwords import Policy
from opilio.server import migrations_state, place
from opilio.server.database_errors import mapped_database_errors

OPERATOR = "operator"


def settings() -> Settings:
    """The settings with which Django was set up."""
    found: Settings = django_settings.OPILIO
    return found


def operator() -> Actor:
    """Whoever may use this machine's command line: acts as the installation itself, and is audited as such."""
    return system(via=Via.CLI, name=OPERATOR, correlation=logs.correlation() or "")


def password_policy() -> Policy:
    """What the installation asks of passwords."""
    return Policy(min_length=settings().password_min_length, history=settings().password_history)


@contextmanager
def opened(*, migrated: bool = True) -> Iterator[None]:
    """The catalogue, which must have tables that this version can work with, unless told otherwise."""
    with mapped_database_errors(place.where()):
        if migrated:
            migrations_state.require_fitting(place.where())
        yield


def catalogue_command(
    app: typer.Typer, name: str | None = None, *, migrated: bool = True, **options: Any
) -> Callable[[Body], Body]:
    """Like `command`, with the catalogue open."""

    def declare(body: Body) -> Body:
        @functools.wraps(body)
        def call(**arguments: Any) -> Answer | None:
            with opened(migrated=migrated):
                return body(**arguments)

        return command(app, name, **options)(call)

    return declare
