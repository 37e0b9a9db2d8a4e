"""Link rank: how much the links of all pages speak for a page."""
