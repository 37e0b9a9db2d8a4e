"""Backups of the catalogue: taken while others write, verified before they are restored."""
