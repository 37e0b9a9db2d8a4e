"""Every read of curation, cut down to what the asker may see."""
