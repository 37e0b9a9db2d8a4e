"""WARC 1.1 files: written record by record with our own bytes, read with fastwarc.

docs/reference/warc.md says what each record holds; docs/decisions/0012-own-warc-writer.md why it is so.
"""
