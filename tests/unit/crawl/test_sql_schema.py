"""The tables of a crawl store."""

from opilio.crawl.frontier.sql_schema import postgres_crawl, postgres_schema, sqlite_schema


def test_the_tables_declare_no_references():
    """Rows refer to each other by number; no database checks it while a crawl writes."""
    statements = [*sqlite_schema(), *postgres_schema(), *postgres_crawl(1)]
    assert not [each for each in statements if "REFERENCES" in each.upper() or "FOREIGN KEY" in each.upper()]
