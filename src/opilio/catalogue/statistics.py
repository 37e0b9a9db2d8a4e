"""What the database knows of its tables, by which it chooses indexes.

PostgreSQL keeps that up by itself. SQLite does not: without figures it takes a wrong index for some long lists.
"""

from django.db import connection

_LOOKED_AT = 1_000  # rows of each index, so that it takes no longer with the years


def refresh() -> bool:
    """Take the figures anew; False where the database does so by itself."""
    if connection.vendor != "sqlite":
        return False
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA analysis_limit = {_LOOKED_AT}")
        cursor.execute("ANALYZE")
    return True
