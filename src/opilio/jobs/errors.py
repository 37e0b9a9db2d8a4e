"""What can go wrong with jobs.

Conflict
├── Fenced          the lease went to somebody else; what the late holder wrote does not count
├── NotInThatState  the job or agent has moved on since it was looked at
└── SameJobWaits    an unfinished job with the same dedup key exists
InvalidInput
├── BadPayload      a job's data, or the class that declares it, cannot be used
└── WrongOrder      an order that is not for agents, or not for jobs
Missing
├── NoSuchJob       no job has that identifier
└── NoSuchAgent     no agent has that identifier
"""

from opilio.kernel.errors import Conflict, InvalidInput, Missing


class Fenced(Conflict):
    """The lease went to somebody else; what the late holder wrote does not count."""


class NotInThatState(Conflict):
    """The job or agent has moved on since it was looked at."""


class SameJobWaits(Conflict):
    """An unfinished job with the same dedup key exists."""


class BadPayload(InvalidInput):
    """A job's data, or the class that declares it, cannot be used."""


class WrongOrder(InvalidInput):
    """An order that is not for agents, or not for jobs."""


class NoSuchJob(Missing):
    """No job has that identifier."""


class NoSuchAgent(Missing):
    """No agent has that identifier."""
