"""Servers and stores that several contracts are about."""

import pytest

from tests.contracts.archive_stores import KINDS, new_store
from tests.servers.s3 import S3Server


@pytest.fixture(scope="session")
def s3():
    """A real S3-compatible server."""
    with S3Server() as server:
        yield server


@pytest.fixture(params=KINDS)
def store(request, tmp_path):
    """An empty store of each kind."""
    return new_store(request.param, tmp_path, lambda: request.getfixturevalue("s3"))
