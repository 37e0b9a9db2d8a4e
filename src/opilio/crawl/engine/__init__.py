"""The crawl engine: workers that take URLs from the crawl store, fetch them politely, and commit what they learned."""
