"""One module per protocol; each speaks `Connection`."""
