"""The seed views: lexicon, pages, links and words both ways, exact, in one SQLite file."""
