"""What a process of the tests does: claim, enqueue, acquire, or be an agent with the tests' runners."""

import os
import sys
import time
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection

from opilio.agents import process
from opilio.agents.context import RunContext
from opilio.jobs import claims, commands, leases, queue
from opilio.jobs.errors import Fenced
from opilio.jobs.models import Agent, Job
from opilio.jobs.states import Order
from opilio.kernel import logs
from opilio.kernel.clock import SYSTEM
from opilio.server import migrations_state
from tests.contracts.jobs_payloads import Broken, Effect, Gate, Patient, Stubborn, Unimportant

_LEASE = timedelta(minutes=10)


def say(*words: object) -> None:
    """Print one event."""
    print(*words, flush=True)


def claim(batch: str) -> None:
    """Take jobs until none is left, and print their identifiers."""
    while taken := claims.claim(owner=str(os.getpid()), limit=int(batch), now=SYSTEM.now(), lease=_LEASE):
        say(*(claimed.id for claimed in taken))


def enqueue(count: str) -> None:
    """Enqueue jobs that write effects 0 … count - 1."""
    for number in range(int(count)):
        queue.enqueue(Effect(number=number, held_for=number % 20), now=SYSTEM.now())


def enqueue_one(name: str) -> None:
    """Enqueue one job of the named kind."""
    payload = {"patient": Patient, "stubborn": Stubborn, "broken": Broken}[name]()
    say(queue.enqueue(payload, now=SYSTEM.now()).id)


def enqueue_gate(folder: str) -> None:
    """Enqueue a job that waits for a file in the folder."""
    queue.enqueue(Gate(folder=folder), now=SYSTEM.now())


def order(addressee: str, what: str) -> None:
    """Give a command to the one agent, or the one running job, that there is."""
    if addressee == "agent":
        commands.tell_agent(Agent.objects.get().pk, Order(what), by="operator", now=SYSTEM.now())
    else:
        commands.tell_job(Job.objects.get(state="running").pk, Order(what), by="operator", now=SYSTEM.now())


def cancel() -> None:
    """Cancel the one job that there is."""
    queue.cancel(Job.objects.get().pk, by="operator", now=SYSTEM.now())


def enqueue_once(key: str) -> None:
    """Enqueue a job under a dedup key."""
    done = queue.enqueue(Unimportant(), now=SYSTEM.now(), dedup_key=key)
    say(done.id, done.fresh)


def acquire(name: str) -> None:
    """Take a named lease."""
    held = leases.acquire(name, owner=str(os.getpid()), now=SYSTEM.now(), lease=_LEASE)
    say("none" if held is None else held.epoch)


def agent() -> None:
    """Be an agent until a signal comes."""
    logs.configure(as_json=True)
    runners = {Effect: _effect, Gate: _gate, Patient: _patient, Stubborn: _stubborn, Broken: _broken}
    agent = process.build(
        settings.OPILIO, runners=runners, misfit=lambda: migrations_state.misfit(migrations_state.state(), "here")
    )
    agent.drain_seconds = float(os.environ.get("OPILIO_TEST_DRAIN", "30"))
    process.work(agent)
    say("left" if agent.outdated is None else f"left: {agent.outdated.code}")


def _effect(payload: Effect, context: RunContext) -> None:
    with context.finishing():
        _write(payload.number)
        time.sleep(payload.held_for / 1_000)


def _gate(payload: Gate, context: RunContext) -> None:
    say("started", context.claimed.epoch)
    gate = Path(payload.folder) / str(os.getpid())
    while not gate.exists():
        time.sleep(0.01)
    try:
        with context.finishing():
            _write(0)
    except Fenced:
        say("fenced")
        raise
    say("finished")


def _patient(_payload: Patient, context: RunContext) -> None:
    context.progress(40, "waiting")
    say("started", context.claimed.epoch)  # last: from here on it needs no database
    while not context.wait(60):
        pass
    context.check()


def _stubborn(_payload: Stubborn, context: RunContext) -> None:
    say("started", context.claimed.epoch)
    while True:
        time.sleep(60)


def _broken(_payload: Broken, _context: RunContext) -> None:
    raise ValueError("cannot \x00 be done")


def _write(number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO effect (number, pid) VALUES (%s, %s)", [number, os.getpid()])


def desk() -> None:
    """Do what each line of standard input says, as the pages would, and print `done` after it."""
    for line in sys.stdin:
        role, *arguments = line.split()
        ROLES[role](*arguments)
        connection.close()  # a server that ends connections between two lines is not the desk's concern
        say("done")


ROLES = {
    role.__name__: role
    for role in (claim, enqueue, enqueue_one, enqueue_gate, enqueue_once, order, cancel, acquire, agent, desk)
}
