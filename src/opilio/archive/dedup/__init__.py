"""Bodies that are kept once: which captures need which, how they are brought together, and how copies are removed."""
