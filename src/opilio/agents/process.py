"""An agent as a process of its own: built from the settings, ended in good order by SIGTERM or SIGINT."""

import os
import platform
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from opilio import __version__
from opilio.agents.agent import Agent, Identity
from opilio.agents.chores import CHORES
from opilio.agents.health import Thresholds, measured, told
from opilio.agents.offers import Offers
from opilio.agents.periodic import Periodic
from opilio.agents.runners import RUNNERS, Runners
from opilio.catalogue.parking import LOT
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import OpilioError
from opilio.kernel.settings import Settings

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def build(
    settings: Settings,
    *,
    runners: Runners = RUNNERS,
    periodics: tuple[Periodic, ...] = CHORES,
    clock: Clock = SYSTEM,
    misfit: Callable[[], OpilioError | None] = lambda: None,
) -> Agent:
    """The agent of this process, which still must be run."""
    machine = platform.node() or "localhost"
    identity = Identity(name=settings.agent_name or machine, machine=machine, pid=os.getpid(), version=__version__)
    limits = Thresholds(
        memory_free=settings.agent_least_memory, disk_free=settings.agent_least_disk, load=settings.agent_most_load
    )
    return Agent(
        identity=identity, settings=settings, runners=runners, periodics=periodics, clock=clock,
        offers=Offers(name=identity.name, home=settings.home, thresholds=limits),
        misfit=misfit, health=lambda: told(measured(settings.home), limits),
    )  # fmt: skip


def work(agent: Agent) -> None:
    """Run the agent in the main thread until a signal ends it; a second signal does not wait for running jobs."""
    LOT.keep()
    with _leaving_on_signals(agent):
        agent.run()


@contextmanager
def _leaving_on_signals(agent: Agent) -> Iterator[None]:
    def leave(_number: int, _frame: FrameType | None) -> None:
        agent.leave()

    before = {number: signal.signal(number, leave) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
