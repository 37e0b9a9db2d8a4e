"""A real node for readers: it finds what is endorsed, and an embargo reaches it within seconds, without a rebuild."""

import contextlib
import itertools
import json
import subprocess
import sys
import time
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from opilio.curation.access_writing import write_access_file
from opilio.curation.models import Target
from opilio.kernel.clock import SYSTEM
from opilio.works.access_home import access_place
from tests.review_desk import crawled

pytestmark = pytest.mark.only_on("sqlite")
_PATIENCE = 60.0  # seconds; far more than the ten that are promised, for machines under load


@contextlib.contextmanager
def _node(folder, place, copy):
    """The address of a node that pulls its rules."""
    command = [
        sys.executable, "-m", "opilio", "node", "serve", str(folder), "--port", "0", "--access", str(copy),
        "--access-key", str(place.public_key), "--access-source", str(place.rules), "--json",
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            lines = itertools.takewhile(lambda line: line.strip() != "}", process.stdout)
            yield json.loads("".join(lines) + "}")["address"].rstrip("/")
        finally:
            process.terminate()


def _found(address):
    """What readers find; None as long as the node still opens its generation."""
    try:
        return _asked(address)
    except HTTPError as error:
        error.close()
        if error.code != 503:
            raise
        return None


def _asked(address):
    with urlopen(f"{address}/search?q={quote('hunt night')}", timeout=_PATIENCE) as answer:
        return {hit["url"] for hit in json.load(answer)["results"]}


def _becomes(address, expected):
    end = time.monotonic() + _PATIENCE
    while (found := _found(address)) != expected and time.monotonic() < end:
        time.sleep(0.2)
    return found


def test_an_embargo_reaches_a_node(shelf, tmp_path):
    """Readers find the page; under embargo they do not; when that is lifted, they do again."""
    target = shelf.target()
    shelf.endorsed(target)
    assert shelf.published().state == "done"
    place, page = access_place(shelf.settings.OPILIO), {crawled().url("/owls.html")}
    with _node(shelf.home / "index" / "nodes" / "primary", place, tmp_path / "copy.jsonl") as address:
        assert _becomes(address, page) == page
        Target.objects.filter(pk=target.pk).update(embargo_days=365)
        write_access_file(shelf.settings.OPILIO, SYSTEM.now())
        assert _becomes(address, set()) == set()
        Target.objects.filter(pk=target.pk).update(embargo_days=None)
        write_access_file(shelf.settings.OPILIO, SYSTEM.now())
        assert _becomes(address, page) == page
