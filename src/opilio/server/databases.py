"""Which database the catalogue lies in, as Django wants to be told."""

from typing import Any

import dj_database_url

from opilio.kernel.errors import BadSetting
from opilio.kernel.settings import Settings

_REMEDY = "Write postgresql://user:password@host:port/name, or leave it empty for SQLite in the home folder."


def database(settings: Settings) -> dict[str, Any]:
    """SQLite in the home folder, or the PostgreSQL that the settings name."""
    if not settings.database_url:
        return _sqlite(str(settings.catalogue_file))
    return database_at(settings.database_url, "database_url")


def database_at(url: str, where: str) -> dict[str, Any]:
    """The database at an address that `where` holds."""
    try:
        found: dict[str, Any] = dict(dj_database_url.parse(url))
    except (ValueError, KeyError) as error:
        raise BadSetting(f"{where} is no database address", where=where, remedy=_REMEDY) from error
    if found.get("ENGINE") == "django.db.backends.sqlite3":
        return _sqlite(str(found["NAME"]))
    if found.get("ENGINE") != "django.db.backends.postgresql":
        raise BadSetting(f"{where} names neither PostgreSQL nor SQLite", where=where, remedy=_REMEDY)
    found["ENGINE"] = "opilio.catalogue.postgres"
    found["CONN_MAX_AGE"] = 0  # under ASGI a kept connection would belong to a thread that may be gone: it is parked
    options = found.setdefault("OPTIONS", {})
    options.setdefault("connect_timeout", 10)
    # A process that was stopped inside a transaction must not hold its locks for ever.
    options.setdefault("options", "-c idle_in_transaction_session_timeout=120s")
    return found


def _sqlite(name: str) -> dict[str, Any]:
    return {
        "ENGINE": "opilio.catalogue.sqlite",
        "NAME": name,
        "OPTIONS": {
            "timeout": 30,  # seconds to wait for another writer
            "transaction_mode": "IMMEDIATE",  # a transaction that will write must not fail half-way for the lock
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        },
    }
