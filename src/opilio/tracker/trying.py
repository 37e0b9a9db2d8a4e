"""Tries a source: signs in and lists its folders, without fetching anything."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import asyncssh

from opilio.deliveries.source import Source as EngineSource
from opilio.deliveries.source import SourceProtocol
from opilio.deliveries.sources.opened import opened
from opilio.deliveries.sources.sftp import host_keys
from opilio.deliveries.survey import Opener, survey
from opilio.tracker import profiles
from opilio.tracker.models import Source
from opilio.tracker.source_values import engine_source

_LIMIT = 60.0  # seconds


@dataclass(frozen=True, kw_only=True)
class Tried:
    """How it went."""

    reached: bool
    why: str = ""
    folders: Mapping[str, int] = field(default_factory=dict)  # of actions, with the number of names in each
    missing: Sequence[str] = ()  # folders of actions that are not there
    shown_keys: Sequence[str] = ()  # sftp: fingerprints that the server shows
    strange_keys: Sequence[str] = ()  # those of them that were not enrolled


def tried(row: Source, opener: Opener = opened, limit: float = _LIMIT) -> Tried:
    """Whether the source answers as its row says; what an SFTP server shows as its key is told in any case."""
    source = engine_source(row)
    (listed,) = survey([source], profiles.named(row.centre.profile), opener, limit=limit)
    shown = _keys(source, limit) if source.protocol is SourceProtocol.SFTP else []
    strange = [key for key in shown if key not in source.host_keys]
    if listed.error is not None:
        return Tried(reached=False, why=str(listed.error), shown_keys=shown, strange_keys=strange)
    return Tried(
        reached=True, folders={name: len(entries) for name, entries in listed.entries.items()},
        missing=listed.missing, shown_keys=shown, strange_keys=strange,
    )  # fmt: skip


def _keys(source: EngineSource, limit: float) -> list[str]:
    """What the server shows; nothing when it cannot be asked, which the trial itself tells."""
    try:
        return asyncio.run(host_keys(source.host, source.at_port, within=limit))
    except (OSError, TimeoutError, asyncssh.Error):
        return []
