"""Fetches over HTTP: exact bytes kept, redirects, retries and logins left to the caller, no private address reached."""
