"""Every write of curation."""
