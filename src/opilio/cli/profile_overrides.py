"""The verbs of `opilio profile` about overrides and credentials. A secret is typed or piped in, never an argument."""

import getpass
import sys
from dataclasses import asdict
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.curation_lookups import holder_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.credentials import create_credential, update_credential
from opilio.curation.actions.overrides import update_overrides
from opilio.curation.override_columns import COLUMNS, VALUES
from opilio.curation.queries import plans
from opilio.curation.queries import profiles as queries
from opilio.curation.trying import try_patterns
from opilio.curation.words import CredentialKind
from opilio.kernel.errors import InvalidInput
from opilio.people.actions.rows import delete_row

_TARGET = Annotated[
    str, typer.Argument(metavar="TARGET", help="Number or name of a target or group.", show_default=False)
]
_NUMBER = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the credential.", show_default=False)]
_STDIN = Annotated[bool, typer.Option("--secret-stdin", help="Read the secret from standard input.")]
_NUMBERS = ("max_seconds", "max_bytes", "max_documents", "max_path_depth", "max_hops")


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    for name, body in (
        ("overrides", overrides), ("override", override), ("try", try_urls), ("add-credential", add_credential),
        ("change-credential", change_credential), ("delete-credential", delete_credential),
    ):  # fmt: skip
        catalogue_command(app, name)(body)


def overrides(target: _TARGET) -> Answer:
    """Show the overrides of a target or group."""
    return _shown(holder_named(operator(), target).pk)


def override(
    target: _TARGET,
    value: Annotated[list[str] | None, typer.Option("--set", help="NAME=VALUE; repeatable.")] = None,
    on: Annotated[list[str] | None, typer.Option(help="Name of an override to switch on; repeatable.")] = None,
    off: Annotated[list[str] | None, typer.Option(help="Name of an override to switch off; repeatable.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="RE2 expression of URLs to leave out; repeatable.")] = None,
    include: Annotated[list[str] | None, typer.Option(help="RE2 expression of exceptions; repeatable.")] = None,
) -> Answer:
    """Change the overrides of a target or group; patterns that are given replace all of their kind."""
    holder = holder_named(operator(), target)
    changes: dict[str, Any] = dict(_value(one) for one in value or [])
    changes |= {_switch(name): True for name in on or []} | {_switch(name): False for name in off or []}
    version = queries.overrides_of(operator(), holder.pk).row.version
    update_overrides(
        operator(), holder_id=holder.pk, version=version, exclusions=exclude or None, inclusions=include or None,
        **changes,
    )  # fmt: skip
    return _shown(holder.pk)


def try_urls(
    target: _TARGET,
    url: Annotated[list[str], typer.Argument(metavar="URL…", help="URLs to try.", show_default=False)],
) -> Answer:
    """Say which pattern of a target's overrides decides about each URL."""
    holder = holder_named(operator(), target)
    shown = queries.overrides_of(operator(), holder.pk)
    exclude = shown.exclusions if shown.row.overrides_exclusions else ()
    include = shown.inclusions if shown.row.overrides_inclusions else ()
    found = try_patterns(url, exclude=exclude, include=include, barred=plans.barred_for(operator(), holder.pk))
    rows = [(one.canonical or one.url, "kept" if one.kept else "left out", one.fault or one.sentence) for one in found]
    parts = [Rows(columns=("URL", "result", "why"), rows=rows)]
    return Answer(document={"urls": [asdict(one) for one in found]}, parts=parts)


def add_credential(
    target: _TARGET,
    domain: Annotated[str, typer.Option(help="Host or domain that it is for.", show_default=False)],
    kind: Annotated[str, typer.Option(help=f"One of: {', '.join(CredentialKind.values)}.")] = "basic",
    username: Annotated[str, typer.Option(help="User name.")] = "",
    realm: Annotated[str, typer.Option(help="Realm, for basic and digest.")] = "",
    login_url: Annotated[str, typer.Option(help="Page with the form.")] = "",
    header_name: Annotated[str, typer.Option(help="Name of the header.")] = "",
    secret_stdin: _STDIN = False,
) -> Answer:
    """Add a credential; its secret is asked for, and kept encrypted."""
    holder = holder_named(operator(), target)
    create_credential(
        operator(), holder_id=holder.pk, kind=kind, domain=domain, username=username, realm=realm, login_url=login_url,
        header_name=header_name, secret=_secret(secret_stdin),
    )  # fmt: skip
    return _shown(holder.pk)


def change_credential(
    number: _NUMBER,
    domain: Annotated[str | None, typer.Option(help="New host or domain.", show_default=False)] = None,
    username: Annotated[str | None, typer.Option(help="New user name.", show_default=False)] = None,
    secret_stdin: _STDIN = False,
) -> Answer:
    """Change a credential; the secret is asked for again."""
    row, holder = queries.credential(operator(), number)
    changes = {name: value for name, value in (("domain", domain), ("username", username)) if value is not None}
    update_credential(
        operator(), credential_id=row.id, version=row.version, secret=_secret(secret_stdin), **changes
    )  # fmt: skip
    return _shown(holder.pk)


def delete_credential(number: _NUMBER) -> Answer:
    """Delete a credential that no seed shows; the page Deleted restores it."""
    row, holder = queries.credential(operator(), number)
    delete_row(operator(), kind_name="credential", row_id=row.id)
    return _shown(holder.pk)


def _secret(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise InvalidInput("Nobody can type the secret here", where="--secret-stdin", remedy="Pipe it in with it.")
    return getpass.getpass("Secret: ")


def _switch(name: str) -> str:
    column = f"overrides_{name.replace('-', '_')}"
    if column not in COLUMNS:
        known = ", ".join(one.removeprefix("overrides_") for one in COLUMNS if one.startswith("overrides_"))
        raise InvalidInput(f"There is no override {name[:80]!r}", where="--on, --off", remedy=f"Known: {known}.")
    return column


def _value(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    column = name.strip().replace("-", "_")
    if not equals or column not in VALUES:
        raise InvalidInput(
            f"{text[:80]!r} sets nothing", where="--set", remedy=f"Write NAME=VALUE: {', '.join(VALUES)}."
        )
    if column not in _NUMBERS:
        return column, value.strip()
    if value.strip() and not value.strip().isdecimal():
        raise InvalidInput(f"{value[:40]!r} is no number", where=f"--set {column}", remedy="Give a whole number.")
    return column, int(value) if value.strip() else None


def _shown(holder_id: int) -> Answer:
    shown = queries.overrides_of(operator(), holder_id)
    document: dict[str, Any] = {
        "id": str(shown.holder.pk), "name": shown.holder.name,
        **{name: getattr(shown.row, name) for name in COLUMNS},
        "exclusions": list(shown.exclusions), "inclusions": list(shown.inclusions),
        "credentials": [{**asdict(one), "id": str(one.id)} for one in shown.credentials], "version": shown.row.version,
    }  # fmt: skip
    told = [f"{one.id} {one.kind} for {one.domain}" for one in shown.credentials]
    return Answer(document=document, parts=[Fields(pairs=[*{**document, "credentials": told}.items()])])
