"""Writes of people: each checks, changes, audits and notifies in one transaction."""
