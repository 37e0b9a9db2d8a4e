"""Deliveries of partners: centres, sources, what came from them, where it stands, and what is wrong with it."""
