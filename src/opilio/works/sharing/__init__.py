"""What machines share without a common disk: the data of harvests in the work store, and copies of it on each disk."""
