"""The two names that we take from fastwarc. Version 1.1 warns about its own old classes when it is imported."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc import ArchiveIterator
    from fastwarc.warc import WarcRecord

__all__ = ["ArchiveIterator", "WarcRecord"]
