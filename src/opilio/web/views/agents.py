"""Agents: who runs what and how its machine is, what agents of a name take, and what they are told."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from opilio.curation.actions.agents import command_agent, set_agent_rule
from opilio.curation.queries import agent_status as query
from opilio.people.errors import NotFound
from opilio.web.agent_words import shown
from opilio.web.forms.harvests import AgentRuleForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.requests import PageRequest
from opilio.web.sections import section

PATH = "/agents"
_TOLD = {
    "pause": "takes nothing new from its next heartbeat on",
    "resume": "takes work again from its next heartbeat on",
    "drain": "gives back what it runs, and ends",
}


@section("agents")
@require_safe
def agents(request: PageRequest) -> HttpResponse:
    """Living agents, and those that ended within a day."""
    found = query.agents(request.actor)
    context = {
        "title": "Agents", "agents": [shown(one) for one in found],
        "ruled_only": query.ruled_only(request.actor, found), "may_manage": query.may_manage(request.actor),
    }  # fmt: skip
    return render(request, "web/agents/agents.html", context)


@section("agents")
def rule(request: PageRequest) -> HttpResponse:
    """Say which harvests agents of a name take."""
    name = request.GET.get("name", "")[:64]
    row = query.rule(request.actor, name) if name else None
    values = {
        "name": name, "accepting": row.accepting if row else True, "note": row.note if row else "",
        "agencies": [one.agency_id for one in row.agencies.all()] if row else [],
    }  # fmt: skip

    def save(data: dict[str, Any]) -> str:
        made = set_agent_rule(request.actor, **data)
        messages.success(request, f"The rule for {made.name} counts from the next job that it looks for.")
        return PATH

    form = AgentRuleForm(
        request, agencies=query.agencies(), initial={**values, "version": row.version if row else None}
    )
    page = FormPage(
        title=f"Rule for {name}" if name else "New rule for an agent", back=PATH, button="Save rule",
        intro="It counts for every agent that registers under the name, now and later.",
        context={"row": row, "kind": "agent-rule" if row else ""},
    )  # fmt: skip
    newer = (lambda: Version(number=row.version, values=values)) if row else None
    return answer(request, form, page, save=save, newer=newer)


@section("agents")
@require_POST
def command(request: PageRequest, agent_id: int, verb: str) -> HttpResponse:
    """Tell an agent to pause, resume or drain."""
    found = query.agent(request.actor, agent_id)
    if verb not in _TOLD:
        raise NotFound("An agent has no such button", where=request.path, remedy="Use those of the list of agents.")
    command_agent(request.actor, agent_id=agent_id, what=verb)
    messages.success(request, f"{found.look.name} {_TOLD[verb]}.")
    return HttpResponseRedirect(PATH)
