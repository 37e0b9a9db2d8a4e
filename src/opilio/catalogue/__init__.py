"""What every table of the catalogue stands on: identifiers, metacolumns, the database behind it (Django app)."""
