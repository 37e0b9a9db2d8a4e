"""Worker processes: forked off a copy of the program where it has one thread, else programs of their own."""

import json
import subprocess
import sys

import pytest

from opilio.crawl.engine.channel import ParentGone

#: A crawl's parent in small. It starts two workers, one after the other, and tells what became of them.
PARENT = """
import json, os, signal, socket, subprocess, sys, threading
import psutil
from opilio.crawl.engine.channel import receive
from opilio.works.worker_processes import starting

how, place = sys.argv[1:]
held, told = open(place), []
if how == "threads":
    threading.Thread(target=threading.Event().wait, daemon=True).start()
with starting(2) as start:
    if how == "nest gone":
        (nest,) = psutil.Process().children()
        nest.kill()
        nest.wait()
    for _ in range(2):
        ours, theirs = socket.socketpair()
        process = start(theirs)
        theirs.close()
        asked = receive(ours)[0]
        opened = [each.path for each in psutil.Process(process.pid).open_files()]
        try:
            process.wait(0)
        except subprocess.TimeoutExpired:
            alive = process.poll() is None
        if how == "killed":
            process.kill()
        elif how == "nest killed":
            psutil.Process(process.pid).parent().kill()
            process.wait(60)
        ours.close()
        told.append([type(process).__name__, asked, alive, place in opened, process.wait(60), process.poll()])
        if how == "nest killed":
            how = "nest gone"
print(json.dumps([told, psutil.Process().children() != []]))
"""


def told(how, place):
    """What the parent tells of its workers."""
    place.write_text("")
    command = [sys.executable, "-c", PARENT, how, str(place)]
    workers, left = json.loads(subprocess.run(command, stdout=subprocess.PIPE, timeout=240, check=True).stdout)
    assert not left
    return workers


@pytest.mark.parametrize(("how", "kind"), [("plain", "Forked"), ("threads", "Popen"), ("nest gone", "Popen")])
def test_workers_are_forked_unless_the_program_has_threads(tmp_path, how, kind):
    """Both sorts ask for their job, have nothing open that the parent had, and end when it hangs up."""
    code = ParentGone.exit_code
    assert told(how, tmp_path / "held") == [[kind, "job", True, False, code, code]] * 2


def test_a_forked_worker_can_be_killed(tmp_path):
    """Its end is told as that of a program would be."""
    assert told("killed", tmp_path / "held") == [["Forked", "job", True, False, -9, -9]] * 2


def test_without_its_nest_a_worker_lives_on_and_the_next_is_a_program(tmp_path):
    """Nobody knows how the first one ended."""
    first, second = told("nest killed", tmp_path / "held")
    assert first == ["Forked", "job", True, False, 255, 255]
    assert second[:2] == ["Popen", "job"]
