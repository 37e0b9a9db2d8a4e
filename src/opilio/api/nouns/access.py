"""Who sees what: the compiled rules, why a reader sees a capture or not, and whether readers are shown a harvest."""

import datetime
from typing import Annotated

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Identifier
from opilio.api.nouns.harvest_schemas import HarvestAnswer
from opilio.api.nouns.harvests import seen, shown
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Moment, Version
from opilio.api.versions import base_version
from opilio.curation.actions.harvest_display import set_display
from opilio.curation.queries import access as query
from opilio.curation.sight import READERS
from opilio.kernel.errors import Missing
from opilio.people.privileges import Privilege

router = Router(tags=["access"])
display_router = Router(tags=["harvests"])


class RulesAnswer(Answer):
    """The file of rules that search, replay, CDX and nodes keep to."""

    sequence: int = Field(description="Grows with every file.")
    made: datetime.datetime
    rules: int
    digest: str = Field(description="SHA-256 of the file.")
    rooms: list[str] = Field(description="Reading rooms that it knows.")
    public_key: str = Field(description="PEM; nodes check the signature of the file by it.")


class DecisionQuestion(Schema):
    """A capture, and who asks for it."""

    harvest: Identifier
    url: Annotated[str, Field(min_length=1, max_length=8_000)]
    captured: Moment | None = Field(None, description="When; left out: when the harvest began.")
    address: Annotated[str, Field(max_length=64)] = Field("", description="IP address of the reader; empty: anywhere.")


class DecisionAnswer(Answer):
    """Whether a reader may see a capture, and why."""

    allowed: bool
    reason: str
    rule: str = Field(description="Rule that decided; empty: none did.")
    told: bool = Field(description="Whether the reader learns that there is a capture.")
    until: datetime.datetime | None = Field(description="When it may change although no rule does.")


class DisplayBody(Body):
    """Whether readers are shown a harvest."""

    display: Flag
    note: Annotated[str, Field(max_length=4_000, description="Why.")] = ""
    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")


@router.get("/rules", response=RulesAnswer)
def show_access_rules(request: ApiRequest) -> RulesAnswer:
    """Show the rules of access in force; 404 as long as nothing was endorsed or taken down.

    Needs PUBLISH_INDEX.
    """
    need(request.auth, "see the rules of access", Privilege.PUBLISH_INDEX)
    found = query.rule_file()
    if found is None:
        raise Missing("there are no rules of access yet", where="rules", remedy="Endorse a harvest first.")
    held = found.held
    return RulesAnswer(
        sequence=held.sequence, made=held.made, rules=held.rules.count, digest=held.digest,
        rooms=sorted(held.rules.rooms), public_key=found.public_key,
    )  # fmt: skip


@router.get("/decision", response=DecisionAnswer)
def explain_access(request: ApiRequest, question: Query[DecisionQuestion]) -> DecisionAnswer:
    """Explain whether a reader may see a capture of a harvest, by the rules as the catalogue has them now.

    Needs a privilege in the agency of the harvest.
    """
    need(request.auth, "see harvests", *sorted(READERS))
    found = query.explained(
        request.auth, question.harvest, question.url, question.captured, question.address
    )  # fmt: skip
    return DecisionAnswer.from_orm(found)


@display_router.put("/{harvest_id}/display", response=HarvestAnswer)
def display_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: DisplayBody
) -> HarvestAnswer:
    """Show a harvest to readers, or keep it from them; it counts within seconds, whatever was published.

    Needs ENDORSE_HARVEST on it.
    """
    seen(request.auth, harvest_id)
    version = base_version(request, body.version)
    set_display(request.auth, harvest_id=harvest_id, display=body.display, note=body.note, version=version)
    return shown(request.auth, harvest_id, response)
