"""The reports on one harvest: each a table with plots, made from parts of the crawl's report. No Django."""
