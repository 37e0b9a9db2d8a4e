"""Warn those who look after agents: a machine is unwell, an agent fell silent, the line is too narrow."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from opilio.curation import line
from opilio.curation.bandwidth import allocate
from opilio.people.acting import Act, action
from opilio.people.intray import Category, holders, notify, told_lately
from opilio.people.privileges import Privilege

QUIET = timedelta(hours=6)  # in which the same is not told again


@action("health.agents_unwell", "Warn that machines of agents are unwell.")
def warn_unwell(act: Act, /, *, reasons: Mapping[str, str]) -> int:
    """How many were told, of all of them together; `reasons` by the name of the agent."""
    _only_agents(act)
    return sum(
        _warn(
            act, "agent-unwell", f"The machine of the agent {name} is unwell",
            f"It takes no more harvests: {reason}. Those that run go on. Make room, or let it run fewer at a time.",
        )
        for name, reason in reasons.items()
    )  # fmt: skip


@action("health.agents_lost", "Warn that agents fell silent.")
def warn_lost(act: Act, /, *, agents: Sequence[str]) -> int:
    """How many were told, of all of them together."""
    _only_agents(act)
    message = "Others take over what it ran. Look at its machine, and start it again."
    return sum(_warn(act, "agent-lost", f"The agent {name} fell silent", message) for name in agents)


@action("health.line_narrow", "Warn that the line is too narrow for the harvests that share it.")
def warn_narrow(act: Act) -> int:
    """How many were told; nobody when each harvest has enough."""
    _only_agents(act)
    rules, shares = line.rules(), line.sharing()
    if not shares:
        return 0
    given = allocate(line.limit_now(act.clock.now()), shares, rules).values()
    narrow = [share for share in given if share is not None and 0 < share < rules.least]
    if not narrow:
        return 0
    message = (
        f"{len(narrow)} of {len(shares)} harvests have less than {rules.least} kB/s. Widen the line on the page "
        "Bandwidth, give one a share by hand, or pause some."
    )
    return _warn(act, "line-narrow", "The line is too narrow for what runs", message)


def _only_agents(act: Act) -> None:
    act.require_that(act.actor.is_system, "warn of agents", "Only the installation itself does.")


def _warn(act: Act, kind: str, subject: str, message: str) -> int:
    now = act.clock.now()
    if told_lately(kind=kind, subject=subject, since=now - QUIET):
        return 0
    people = holders(Privilege.MANAGE_WEB_HARVESTER)
    return notify(
        people, kind=kind, category=Category.WARNING, subject=subject, message=message, sender=act.actor.username,
        now=now,
    )  # fmt: skip
