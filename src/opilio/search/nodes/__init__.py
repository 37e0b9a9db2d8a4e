"""Places that serve a published generation: told what to serve, in order, and watched by readers all the while."""
