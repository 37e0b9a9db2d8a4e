"""Names the database in messages, without its password."""

from django.db import connection


def where() -> str:
    """The file of SQLite, or user, host, port and name of PostgreSQL."""
    told = connection.settings_dict
    if connection.vendor == "sqlite":
        return str(told["NAME"])
    user = f"{told['USER']}@" if told.get("USER") else ""
    port = f":{told['PORT']}" if told.get("PORT") else ""
    return f"postgresql://{user}{told.get('HOST') or 'localhost'}{port}/{told['NAME']}"
