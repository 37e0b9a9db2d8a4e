"""How good a result is: what is measured of it, page by page and as a whole. No Django, no opinion."""
