"""The forms of the pages: one small pattern, the same for all."""
