"""What may be seen of deliveries."""
