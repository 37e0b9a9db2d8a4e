"""The other side of the tests with several processes: `python -m tests.contracts.jobs_process ROLE [ARGUMENT]`.

A role prints `ready`, waits for a line so that all begin at once, and prints what happened, one event a line.
"""

import sys

import django

django.setup()

from tests.contracts.jobs_roles import ROLES  # noqa: E402 - models can be imported only after Django is set up

if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    ROLES[sys.argv[1]](*sys.argv[2:])
