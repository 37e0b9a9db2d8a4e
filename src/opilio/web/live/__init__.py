"""Running harvests as they go: one poller for all who watch in this process, and the streams that it feeds."""
