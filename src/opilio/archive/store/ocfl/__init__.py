"""Archived results in the Oxford Common File Layout 1.1: a harvest is an object, its result n is version n."""
