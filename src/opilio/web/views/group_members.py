"""The members of a group: who is in it, add by search, remove, move to another group."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from opilio.curation.actions.group_members import add_members, move_members, remove_members
from opilio.curation.queries import groups as query
from opilio.curation.words import ObjectType, State, tone_of
from opilio.kernel.errors import Conflict, InvalidInput
from opilio.people.errors import NotFound
from opilio.web import installation
from opilio.web.group_page import PATH, frame
from opilio.web.lists import paging
from opilio.web.requests import PageRequest
from opilio.web.sections import section

_OFFERED = 20
_LONGEST = 200  # characters of a search


@section("groups")
@require_http_methods(["GET", "HEAD", "POST"])
def members(request: PageRequest, group_id: int) -> HttpResponse:
    """Who is in the group; those found by a search can be added."""
    row = query.group(request.actor, group_id)
    if request.method == "POST":
        return _change(request, row)
    rows = query.members(request.actor, row.pk)
    words = _words(request, "q")
    for word in words.split()[:5]:
        rows = rows.filter(child__name__icontains=word)
    cut = paging.page(paging.counted(rows), asked=_number(request.GET.get("page")) or 1,
                      size=installation.rows_per_page(request))  # fmt: skip
    find = _words(request, "find")
    context = {
        **frame(request.actor, row, "members"), "title": row.name, "words": words, "find": find, "cut": cut,
        "members": [_told(link.child, link) for link in rows[cut.start : cut.start + cut.size]],
        "hidden": query.hidden_members(request.actor, row.pk), "searched": "find" in request.GET,
        "candidates": [_told(one) for one in query.candidates(request.actor, row.pk, find)[:_OFFERED]],
        "others": [pair for pair in query.parent_choices(request.actor) if pair[0] != row.pk],
    }  # fmt: skip
    return render(request, "web/groups/members.html", context)


@section("targets")
@require_POST
def join(request: PageRequest, target_id: int, verb: str) -> HttpResponse:
    """From the page of a target: put it into a group, or take it out."""
    group_id = _number(request.POST.get("group"))
    run = {"join": add_members, "leave": remove_members}.get(verb)
    if run is None:
        raise NotFound("A target has no such button", where=request.path, remedy="Use those of the target's page.")
    try:
        if group_id is None:
            raise InvalidInput("No group was chosen", where="Groups", remedy="Choose one beside the button.")
        group = run(request.actor, group_id=group_id, member_ids=[target_id])
        messages.success(request, f"It is {'in' if verb == 'join' else 'no longer in'} the group {group.name}.")
    except (Conflict, InvalidInput) as error:
        messages.error(request, str(error))
    return HttpResponseRedirect(f"/targets/{target_id}/groups")


def _change(request: PageRequest, row: Any) -> HttpResponse:
    chosen = [number for text in request.POST.getlist("row") if (number := _number(text))]
    run = _VERBS.get(request.POST.get("action", ""))
    if run is None:
        raise NotFound("A group has no such button", where=request.path, remedy="Use those of the group's page.")
    try:
        messages.success(request, run(request, row, chosen))
    except (Conflict, InvalidInput) as error:
        messages.error(request, str(error))
    return HttpResponseRedirect(f"{PATH}/{row.pk}/members")


def _add(request: PageRequest, row: Any, chosen: list[int]) -> str:
    add_members(request.actor, group_id=row.pk, member_ids=chosen)
    return f"{_counted(chosen)} added to {row.name}."


def _remove(request: PageRequest, row: Any, chosen: list[int]) -> str:
    remove_members(request.actor, group_id=row.pk, member_ids=chosen)
    return f"{_counted(chosen)} removed from {row.name}."


def _move(request: PageRequest, row: Any, chosen: list[int]) -> str:
    into_id = _number(request.POST.get("into"))
    if into_id is None:
        raise InvalidInput("No group was chosen to move them to", where="Move", remedy="Choose one beside the button.")
    into = move_members(request.actor, source_id=row.pk, into_id=into_id, member_ids=chosen)
    return f"{_counted(chosen)} moved to {into.name}."


_VERBS: dict[str, Callable[[PageRequest, Any, list[int]], str]] = {"add": _add, "remove": _remove, "move": _move}


def _counted(chosen: list[int]) -> str:
    return "1 member" if len(chosen) == 1 else f"{len(chosen)} members"


def _told(child: Any, link: Any = None) -> dict[str, Any]:
    is_group = child.object_type == ObjectType.GROUP
    return {
        "row": child, "link": link, "is_group": is_group, "state": State(child.state).label.lower(),
        "tone": tone_of(child.state), "path": f"/{'groups' if is_group else 'targets'}/{child.pk}",
    }  # fmt: skip


def _words(request: PageRequest, name: str) -> str:
    return "".join(letter for letter in request.GET.get(name, "") if letter.isprintable())[:_LONGEST].strip()


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 19 else None
