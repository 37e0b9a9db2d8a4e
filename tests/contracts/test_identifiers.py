"""Identifiers among processes: many reserve at once, on the database that the run is about."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from tests import nursery

PROCESSES = 10
EACH = 2_000

_RESERVE = """
import sys
from opilio.catalogue.identifiers import BLOCK, reserve_block, take
from opilio.catalogue import identifiers
print("ready", flush=True)
sys.stdin.readline()
numbers = []
for turn in range(5):
    identifiers.forget()
    numbers += [take("Shared") for _ in range(%d)]
print(*numbers)
"""


def test_ten_processes_at_once_get_no_identifier_twice(installation):
    """Each reserves several blocks while all the others do."""
    code = _RESERVE % (EACH // 5)
    running = [
        nursery.Process(
            [sys.executable, "-m", "tests.snippet", code],
            env=dict(installation.env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    for process in running:
        assert process.stdout.readline() == "ready\n"
    with ThreadPoolExecutor(PROCESSES) as threads:
        answers = list(threads.map(lambda process: process.communicate("go\n", timeout=200)[0], running))
    assert [process.returncode for process in running] == [0] * PROCESSES
    numbers = [int(number) for answer in answers for number in answer.split()]
    assert len(numbers) == PROCESSES * EACH
    assert len(set(numbers)) == len(numbers)
