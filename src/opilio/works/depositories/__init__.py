"""Where packages are handed to: folders, buckets, OCFL archives, servers that take deposits by HTTP, and commands."""
