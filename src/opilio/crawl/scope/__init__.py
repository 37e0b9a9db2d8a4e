"""Which URLs belong to a crawl: ordered rules, each one question, and the deciding rule is kept."""
