"""Finding captures by URL and time."""
