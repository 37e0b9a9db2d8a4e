"""Real servers for tests: each starts as a process of its own, listens on loopback and prints its address."""
