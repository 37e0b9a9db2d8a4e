"""Opilio collects what others publish, and makes the copies reviewable, searchable and replayable."""

__version__ = "0.1.0"
