"""Sealed results: what a crawl captured and learned, as one immutable file beside its WARC files."""
