"""Make and change sources of centres; secrets go in and never come out."""

import dataclasses
from typing import Any

from opilio.catalogue import identifiers
from opilio.deliveries.errors import BadSource
from opilio.deliveries.source import SourceProtocol
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege
from opilio.tracker import secrets
from opilio.tracker.kinds import CENTRE, SOURCE
from opilio.tracker.models import Centre, Protocol, ResourceState, Source
from opilio.tracker.source_values import engine_source, window_of

FIELDS = (
    "name", "hostname", "port", "username", "base_path", "preference", "host_keys", "authority", "timeout",
    "connections", "bytes_per_second", "windows",
)  # fmt: skip
_LEADS = ("protocol", "hostname", "port")  # to whom secrets are sent
_STATES = ("available", "maintenance", "removed")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Keys:
    """What opens a source; empty texts leave what is there."""

    password: str = ""
    private_key: str = ""
    passphrase: str = ""


NO_KEYS = Keys()


@action("source.create", "Make a source of a centre.", privilege=Privilege.MANAGE_SOURCES)
def create_source(
    act: Act, /, *, centre_id: int, protocol: str, keys: Keys = NO_KEYS, state: str = "available", **fields: Any
) -> Source:
    """A server, or a folder, on which a partner offers files."""
    centre: Centre = act.fetch(CENTRE, centre_id)
    act.require(Privilege.MANAGE_SOURCES, CENTRE.subject(centre), f"make sources of {centre.short_name}")
    row = Source(
        id=identifiers.take(Source.id_kind()), centre=centre, protocol=_protocol(act, protocol),
        state=_state(act, state), **_known(fields),
    )  # fmt: skip
    row.access_key = secrets.sealed(row.pk, **dataclasses.asdict(keys))
    _check(act, row)
    _require_folder(act, row)
    return act.insert(row)


@action("source.update", "Change a source of a centre.", privilege=Privilege.MANAGE_SOURCES)
def update_source(
    act: Act, /, *, source_id: int, version: int, protocol: str = "", state: str = "", keys: Keys = NO_KEYS,
    **fields: Any,
) -> Source:  # fmt: skip
    """Secrets that are not given stay as they are."""
    row: Source = act.fetch(SOURCE, source_id)
    act.require(Privilege.MANAGE_SOURCES, SOURCE.subject(row), f"change the source {row}")
    changes = _known(fields)
    if protocol:
        changes["protocol"] = _protocol(act, protocol)
    if state:
        changes["state"] = _state(act, state)
    given = {name: text for name, text in dataclasses.asdict(keys).items() if text}
    _check_secrets(act, row, changes, bool(given))
    if given:
        changes["access_key"] = secrets.sealed(row.pk, **{**secrets.opened(row.pk, row.access_key), **given})
    elsewhere = _moved(row, changes, ("protocol", "base_path"))
    for name, value in changes.items():
        setattr(row, name, value)
    _check(act, row)
    if elsewhere:
        _require_folder(act, row)
    row.refresh_from_db()
    act.update(row, changes, version=version, message="Its secrets were changed." if given else "")
    return row


def _check_secrets(act: Act, row: Source, changes: dict[str, Any], given: bool) -> None:
    """Secrets go where they were meant to go: whoever leads a source elsewhere gives them anew."""
    moved = _moved(row, changes, _LEADS)
    if moved and row.access_key and not given:
        text = "It leads elsewhere now: give its password or key anew."
        raise InvalidFields({moved[0]: [text]}, where=act.name)


def _moved(row: Source, changes: dict[str, Any], names: tuple[str, ...]) -> list[str]:
    return [name for name in names if name in changes and changes[name] != getattr(row, name)]


def _require_folder(act: Act, row: Source) -> None:
    """A folder lies on the machine that runs sessions: whoever names one could read what is no partner's."""
    if row.protocol.short_name == SourceProtocol.FOLDER and not act.actor.is_system:
        everywhere = act.actor.grants.everywhere(Privilege.MANAGE_SOURCES)
        act.require_that(
            everywhere, "name a folder of this machine as a source",
            "Ask the operator, or whoever manages the sources of all agencies; or offer the files by SFTP or HTTPS.",
        )  # fmt: skip


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    found = {name: fields[name] for name in FIELDS if name in fields}
    return {name: value.strip() if isinstance(value, str) else value for name, value in found.items()}


def _protocol(act: Act, name: str) -> Protocol:
    found = Protocol.objects.filter(short_name=name).first()
    if found is None:
        known = ", ".join(one.value for one in SourceProtocol)
        raise InvalidFields({"protocol": [f"{name[:32]!r} is none of {known}."]}, where=act.name)
    return found


def _state(act: Act, name: str) -> ResourceState:
    if name not in _STATES:
        raise InvalidFields({"state": [f"{name[:32]!r} is none of {', '.join(_STATES)}."]}, where=act.name)
    return ResourceState.objects.get(short_name=name)


def _check(act: Act, row: Source) -> None:
    """What the engine could not use is refused before it is stored."""
    try:
        for window in row.windows:
            window_of(window)
        engine_source(row)
    except BadSource as error:
        raise InvalidFields({"hostname": [str(error)]}, where=act.name) from error
    except (ValueError, TypeError, AttributeError) as error:
        raise InvalidFields({"windows": [f"It cannot be read: {error}."]}, where=act.name) from error
