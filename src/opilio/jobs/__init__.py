"""Background work that survives a crash: Job, Agent, Lease, Command tables and the queue (Django app)."""
