"""Compares two crawls or results: what came, what went, what changed, and how the text of a page changed."""
