"""From the records of WARC and ARC files to rows of an index."""
