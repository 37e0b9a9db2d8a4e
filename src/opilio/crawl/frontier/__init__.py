"""The crawl store: what to fetch next, and everything learned while a crawl runs; in memory, SQLite or PostgreSQL."""
