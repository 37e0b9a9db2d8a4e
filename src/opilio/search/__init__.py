"""Finds: search documents, analysis, lexicon, forward and inverted index, links, rank, generations, nodes."""
