"""Measurements: each module is one, run by `python -m benchmarks NAME…`, and prints figures with date and machine."""
