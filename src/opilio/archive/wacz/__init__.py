"""WACZ 1.1.1: WARC files with index, pages and digests in one ZIP file; written by our own packer, read with distrust.

docs/reference/wacz.md says what is inside; docs/decisions/0021-own-wacz-packer.md why it is ours.
"""
