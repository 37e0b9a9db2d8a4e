"""Two writers at once, in a process of an installation, after Django was set up."""

import json
import threading

from django.db import connections

from opilio.curation.actions.group_members import add_members, remove_members
from opilio.curation.actions.target_moves import approve_target
from opilio.curation.models import AbstractTarget, GroupMember, State
from opilio.kernel.errors import OpilioError
from tests.curation import Desk
from tests.people import Town

ROUNDS = 4


def together(*jobs):
    """Run jobs at the same time, each with a connection of its own; what each raised."""
    faults, gate = [], threading.Barrier(len(jobs))

    def run(job):
        try:
            gate.wait(60)
            job()
        except OpilioError as error:
            faults.append(str(error))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return faults


def circle(desk, owner):
    """Each nests a group that contains where the other nests; what was refused, and how many are nested afterwards."""
    boss = desk.town.system
    first, second = desk.group(owner=owner), desk.group(owner=owner)
    above_first, above_second = desk.group(first, owner=owner), desk.group(second, owner=owner)
    faults = together(
        lambda: add_members(boss, group_id=first.id, member_ids=[above_second.id]),
        lambda: add_members(boss, group_id=second.id, member_ids=[above_first.id]),
    )
    return [faults, GroupMember.objects.filter(parent_id__in=[first.id, second.id]).count()]


def status(desk, owner, turn):
    """One approves a member while the other takes an approved one out; the status of the group, and what failed."""
    boss = desk.town.system
    stays, goes = desk.approvable(owner=owner), desk.target(owner=owner, state=State.APPROVED)
    group = desk.group(stays, goes, owner=owner, state=State.GROUP_ACTIVE)
    jobs = [
        lambda: approve_target(boss, target_id=stays.id),
        lambda: remove_members(boss, group_id=group.id, member_ids=[goes.id]),
    ]
    faults = together(*jobs[:: 1 if turn % 2 else -1])
    return [faults, AbstractTarget.objects.get(id=group.id).state]


def tell():
    """Print what came of all rounds."""
    desk = Desk(Town())
    owner = desk.town.user()
    circles = [circle(desk, owner) for _ in range(ROUNDS)]
    print(json.dumps({"circles": circles, "statuses": [status(desk, owner, turn) for turn in range(ROUNDS)]}))
