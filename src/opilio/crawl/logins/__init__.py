"""Logins: which credential a URL is asked for with, what is sent, and how an ended session is recognised. No I/O."""
