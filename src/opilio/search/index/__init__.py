"""The full-text index of search documents: schema, build, reading. The engine is tantivy."""
