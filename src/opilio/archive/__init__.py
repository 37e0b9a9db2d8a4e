"""Keeps captures for ever: WARC files, their CDXJ index, and what is derived from them."""
