"""From text to terms: one analyzer for index, query, snippets and seed views."""
