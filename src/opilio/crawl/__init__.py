"""The crawl engine: a plan in, captures out. It knows no web framework and no archive."""
