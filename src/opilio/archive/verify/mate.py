"""`python -m opilio.archive.verify.mate`: verifies the regions of an order that comes on standard input."""

import pickle
import sys

from opilio.archive.verify.crew import work

if __name__ == "__main__":
    work(pickle.load(sys.stdin.buffer), sys.stdout.buffer)  # noqa: S301 - written by our own parent
