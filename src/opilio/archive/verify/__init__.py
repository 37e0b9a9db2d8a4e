"""Checking WARC and ARC files record by record: what is wrong, exactly where, and what to do about it.

docs/reference/verify.md lists the kinds of faults.
"""
