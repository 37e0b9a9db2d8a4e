"""The processes that work: an agent takes jobs and runs them, and does what must be done every so often."""
