"""Pictures of pages: taken by Chromium from the archive or from the live site, kept as WARC resource records."""
