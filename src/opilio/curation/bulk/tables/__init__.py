"""Tables in CSV and JSON: read as a stream with a word on every bad row, written so that they read back the same."""
