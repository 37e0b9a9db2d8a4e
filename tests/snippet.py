"""Runs Python code with Django set up: `python -m tests.snippet CODE`."""

import sys

import django

if __name__ == "__main__":
    django.setup()
    exec(sys.argv[1], {"__name__": "__main__"})  # noqa: S102 - the code is a test's own
