"""A source as the engine knows it, from its row."""

from datetime import time
from typing import Any

from opilio.deliveries.source import Source as EngineSource
from opilio.deliveries.source import SourceProtocol, Window
from opilio.tracker import secrets
from opilio.tracker.models import Source


def name_of(row: Source) -> str:
    """How the engine tells sources apart: by centre and name, which people can read."""
    return f"{row.centre.short_name}/{row.name}"


def engine_source(row: Source) -> EngineSource:
    """The source with its secrets; refused with a reason if it cannot be used as it is."""
    return EngineSource(
        name=name_of(row), protocol=SourceProtocol(row.protocol.short_name), host=row.hostname, port=row.port,
        base=row.base_path or "/", user=row.username, host_keys=tuple(row.host_keys), authority=row.authority,
        timeout=float(row.timeout), connections=row.connections, bytes_per_second=row.bytes_per_second,
        windows=tuple(map(window_of, row.windows)), preference=row.preference, centre=row.centre.short_name,
        **secrets.opened(row.pk, row.access_key),
    )  # fmt: skip


def window_of(value: dict[str, Any]) -> Window:
    """A window of time as it is kept: days from 0 (Monday), start and end as HH:MM."""
    return Window(
        days=frozenset(int(day) for day in value.get("days", range(7))),
        start=time.fromisoformat(str(value.get("start", "00:00"))),
        end=time.fromisoformat(str(value.get("end", "00:00"))),
    )
