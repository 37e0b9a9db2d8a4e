"""Reports: what was used, what was done, what is scheduled; the same rows for pages, files, API and command line."""
