"""Which function does the work of which payload class.

A package below `agents` declares its payload classes beside the actions that enqueue them; the work is added here,
one line each: `SendEmail: send_email`. A test fails on a class that is missing.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from opilio.agents.bulk import run_bulk
from opilio.agents.context import RunContext
from opilio.agents.harvest_index import index_harvest
from opilio.agents.harvests import run_harvest
from opilio.agents.mail import send_mail
from opilio.agents.wct import import_wct
from opilio.agents.webhooks import send_webhook
from opilio.curation.actions.wct_import import ImportWct
from opilio.curation.bulk.running import RunBulk
from opilio.curation.harvest_jobs import IndexHarvest, RunHarvest
from opilio.jobs.errors import BadPayload
from opilio.jobs.payload import declared, from_json
from opilio.people.mail import SendMail
from opilio.people.webhooks import SendWebhook

#: Called with the payload and the context, in a thread of its own; what it raises makes the attempt a failure.
Runner = Callable[[Any, RunContext], None]
Runners = Mapping[type, Runner]

RUNNERS: Runners = MappingProxyType(
    {
        SendMail: send_mail,
        RunBulk: run_bulk,
        ImportWct: import_wct,
        RunHarvest: run_harvest,
        SendWebhook: send_webhook,
        IndexHarvest: index_harvest,
    }
)


def kinds_of(runners: Runners) -> frozenset[str]:
    """The kinds of job that can be run with these."""
    known = declared()
    return frozenset(known[payload].kind for payload in runners)


def run(runners: Runners, context: RunContext) -> None:
    """Do the work of the claimed job."""
    payload = from_json(context.claimed.kind, context.claimed.document)
    runner = runners.get(type(payload))
    if runner is None:
        raise BadPayload(
            f"No runner is known for {type(payload).__name__}", where=context.claimed.kind, remedy="Update this agent."
        )
    runner(payload, context)
