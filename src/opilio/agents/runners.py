"""Which function does the work of which payload class.

A package below `agents` declares its payload classes beside the actions that enqueue them; the work is added here,
one line each: `SendEmail: send_email`. A test fails on a class that is missing.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from opilio.agents.assess import assess_result
from opilio.agents.bulk import run_bulk
from opilio.agents.context import RunContext
from opilio.agents.delivery_sessions import run_session
from opilio.agents.deposits import deposit_result
from opilio.agents.fixity import check_fixity
from opilio.agents.harvest_help import help_harvest
from opilio.agents.harvest_index import index_harvest
from opilio.agents.harvests import run_harvest
from opilio.agents.mail import send_mail
from opilio.agents.patches import patch_result
from opilio.agents.publish import publish_generation
from opilio.agents.purge import purge_harvest
from opilio.agents.result_files import mark_result, undo_result
from opilio.agents.results import compare_results, make_result, make_tree
from opilio.agents.takedowns import destroy_captures
from opilio.agents.wct import import_wct
from opilio.agents.webhooks import send_webhook
from opilio.curation.actions.wct_import import ImportWct
from opilio.curation.assess_jobs import AssessResult
from opilio.curation.bulk.running import RunBulk
from opilio.curation.deposit_jobs import DepositResult
from opilio.curation.fixity import CheckFixity
from opilio.curation.harvest_folders import touching
from opilio.curation.harvest_jobs import HelpHarvest, IndexHarvest, RunHarvest
from opilio.curation.patch_jobs import PatchResult
from opilio.curation.publishing import PublishGeneration
from opilio.curation.purging import PurgeHarvest
from opilio.curation.result_jobs import CompareResults, MakeResult, MakeTree
from opilio.curation.result_marks import MarkResult
from opilio.curation.result_undoing import UndoResult
from opilio.curation.takedown_jobs import DestroyCaptures
from opilio.jobs.errors import BadPayload
from opilio.jobs.payload import declared, from_json
from opilio.people.mail import SendMail
from opilio.people.webhooks import SendWebhook
from opilio.tracker.session_jobs import RunDeliverySession

#: Called with the payload and the context, in a thread of its own; what it raises makes the attempt a failure.
Runner = Callable[[Any, RunContext], None]
Runners = Mapping[type, Runner]

RUNNERS: Runners = MappingProxyType(
    {
        SendMail: send_mail,
        AssessResult: assess_result,
        RunBulk: run_bulk,
        ImportWct: import_wct,
        RunHarvest: run_harvest,
        HelpHarvest: help_harvest,
        SendWebhook: send_webhook,
        DepositResult: deposit_result,
        IndexHarvest: index_harvest,
        PublishGeneration: publish_generation,
        MarkResult: mark_result,
        UndoResult: undo_result,
        MakeResult: make_result,
        PatchResult: patch_result,
        MakeTree: make_tree,
        CompareResults: compare_results,
        PurgeHarvest: purge_harvest,
        CheckFixity: check_fixity,
        DestroyCaptures: destroy_captures,
        RunDeliverySession: run_session,
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
    with touching(context.require_ours) as touched:
        if touched is not None:
            context.before_end = touched.send
        runner(payload, context)
        context.before_end()
