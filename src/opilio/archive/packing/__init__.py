"""Handing over: what a result consists of, and the forms in which others take it."""
