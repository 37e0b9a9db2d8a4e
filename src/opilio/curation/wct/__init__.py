"""The tables of the Web Curator Tool 1.4 (seed D): reads a dump of them into ours, and writes ours as such a dump."""
