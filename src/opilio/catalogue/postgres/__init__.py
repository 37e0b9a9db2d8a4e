"""PostgreSQL as the catalogue's database: the name that Django loads."""
