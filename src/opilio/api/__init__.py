"""REST v1: the same nouns and verbs as the pages, for programs."""
