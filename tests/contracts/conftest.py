"""Servers that several contracts are about, started once."""

import pytest

from tests.servers.s3 import S3Server


@pytest.fixture(scope="session")
def s3():
    """A real S3-compatible server."""
    with S3Server() as server:
        yield server
