"""Bulk work: one thing done to many rows, and tables that are imported and exported."""
