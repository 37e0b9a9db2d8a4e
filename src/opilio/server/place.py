"""Names the database in messages, without its password."""

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper


def where(database: BaseDatabaseWrapper | None = None) -> str:
    """The file of SQLite, or user, host, port and name of PostgreSQL; the catalogue's, unless another is named."""
    named = database or connection
    told = named.settings_dict
    if named.vendor == "sqlite":
        return str(told["NAME"])
    user = f"{told['USER']}@" if told.get("USER") else ""
    port = f":{told['PORT']}" if told.get("PORT") else ""
    return f"postgresql://{user}{told.get('HOST') or 'localhost'}{port}/{told['NAME']}"
