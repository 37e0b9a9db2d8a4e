"""Parts of a target: excluded URLs, description, verification, seeds from a list."""

import datetime
from typing import Annotated, Any

from django.conf import settings
from ninja import Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.groups import Long
from opilio.api.nouns.target_schemas import BadLineAnswer, Note, SeedListAnswer, SeedListBody, Url
from opilio.api.nouns.targets import seen
from opilio.api.reach import delete
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line, Version
from opilio.api.versions import base_version, matched_version
from opilio.curation.actions import excluded_urls, seeds
from opilio.curation.actions import target_verification as verification
from opilio.curation.actions.dublin_core import save_dublin_core
from opilio.curation.kinds import EXCLUDED_URL
from opilio.curation.queries import targets as query
from opilio.curation.queries.nominations import verifications
from opilio.curation.words import ELEMENTS
from opilio.people.queries.visible import one

router = Router(tags=["targets"])


class ExcludedUrlAnswer(Answer):
    """A page that is left out."""

    id: Id
    url: str
    reason: str
    version: int


class ExcludedUrlNew(Body):
    """A page to be left out."""

    url: Url
    reason: Note = ""


class ExcludedUrlChange(ExcludedUrlNew):
    """A page that is left out, as it is to be."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")


class DescriptionBody(Body):
    """Elements of Dublin Core; those left out stay as they are, or empty."""

    version: Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)] | None = Field(
        None, description="Version of the description that you changed; 0 when there was none; left out: any."
    )
    title: Long | None = None
    creator: Long | None = None
    subject: Long | None = None
    description: Long | None = None
    publisher: Long | None = None
    contributor: Long | None = None
    date: Long | None = None
    type: Line | None = Field(None, description="A value of the list dublin-core-type.")
    format: Long | None = None
    identifier: Long | None = None
    identifier_isbn: Line | None = None
    identifier_issn: Line | None = None
    source: Long | None = None
    language: Line | None = None
    relation: Long | None = None
    coverage: Long | None = None
    rights: Long | None = None


class DescriptionAnswer(Answer):
    """The description of a target."""

    version: int = Field(description="0: there is none yet.")
    elements: dict[str, str]


class VerificationAnswer(Answer):
    """An invitation to verify a target, and what was answered."""

    id: Id
    email: str
    made_at: datetime.datetime
    expires_at: datetime.datetime
    used_at: datetime.datetime | None
    revoked_at: datetime.datetime | None
    answer: dict[str, Any]


class Question(Body):
    """Whom to ask to verify a target."""

    email: Line
    message: Long = ""


class AskedAnswer(Answer):
    """An invitation that was sent."""

    id: Id
    path: str = Field(description="Where the form is; told now and never again.")


@router.post("/{target_id}/seeds/import", response=SeedListAnswer)
def import_seed_list(request: ApiRequest, target_id: Identifier, body: SeedListBody) -> SeedListAnswer:
    """Add seeds from a list; with bad lines nothing is added, unless only the good ones are asked for.

    Needs MODIFY_TARGET over the target.
    """
    seen(request.auth, target_id)
    taken = seeds.import_seeds(
        request.auth, target_id=target_id, text=body.text, link=seeds.Link(body.link), permission_id=body.permission,
        only_good=body.only_good,
    )  # fmt: skip
    return SeedListAnswer(
        done=taken.done, good=taken.good, added=[str(number) for number in taken.added],
        faults=[BadLineAnswer(line=fault.line, text=fault.text, reason=fault.reason) for fault in taken.faults],
    )  # fmt: skip


@router.get("/{target_id}/excluded-urls", response=list[ExcludedUrlAnswer])
def list_excluded_urls(request: ApiRequest, target_id: Identifier) -> list[ExcludedUrlAnswer]:
    """List the pages that are left out when the target is harvested.

    Needs a role that lets you work with targets of its agency.
    """
    row = seen(request.auth, target_id)
    found = query.excluded_urls(request.auth).filter(target=row).order_by("url", "id")
    return [ExcludedUrlAnswer.from_orm(each) for each in found[:5_000]]


@router.post("/{target_id}/excluded-urls", response={201: ExcludedUrlAnswer})
def add_excluded_url(request: ApiRequest, target_id: Identifier, body: ExcludedUrlNew) -> ExcludedUrlAnswer:
    """Leave a page out of the target's harvests.

    Needs MODIFY_TARGET over the target.
    """
    seen(request.auth, target_id)
    made = excluded_urls.add_excluded_url(request.auth, target_id=target_id, **body.changes())
    return ExcludedUrlAnswer.from_orm(made)


@router.put("/{target_id}/excluded-urls/{excluded_id}", response=ExcludedUrlAnswer)
def change_excluded_url(
    request: ApiRequest, target_id: Identifier, excluded_id: Identifier, body: ExcludedUrlChange
) -> ExcludedUrlAnswer:
    """Change a page that is left out.

    Needs MODIFY_TARGET over the target.
    """
    _excluded(request, target_id, excluded_id)
    made = excluded_urls.update_excluded_url(
        request.auth, excluded_id=excluded_id, version=base_version(request, body.version), url=body.url,
        reason=body.reason,
    )  # fmt: skip
    return ExcludedUrlAnswer.from_orm(made)


@router.delete("/{target_id}/excluded-urls/{excluded_id}", response={204: None})
def delete_excluded_url(request: ApiRequest, target_id: Identifier, excluded_id: Identifier) -> None:
    """Leave a page out no longer.

    Needs MODIFY_TARGET over the target.
    """
    _excluded(request, target_id, excluded_id)
    delete(request.auth, EXCLUDED_URL, excluded_id, matched_version(request))


@router.get("/{target_id}/description", response=DescriptionAnswer)
def show_description(request: ApiRequest, target_id: Identifier) -> DescriptionAnswer:
    """Show the description of a target in Dublin Core.

    Needs a role that lets you work with targets of its agency.
    """
    return _described(seen(request.auth, target_id).dublin_core)


@router.patch("/{target_id}/description", response=DescriptionAnswer)
def change_description(request: ApiRequest, target_id: Identifier, body: DescriptionBody) -> DescriptionAnswer:
    """Describe a target.

    Needs MODIFY_TARGET over it.
    """
    seen(request.auth, target_id)
    return _described(save_dublin_core(request.auth, row_id=target_id, version=body.version, **body.changes()))


@router.get("/{target_id}/verifications", response=list[VerificationAnswer])
def list_verifications(request: ApiRequest, target_id: Identifier) -> list[VerificationAnswer]:
    """List who was asked to verify a target, and what they answered.

    Needs a role that lets you work with targets of its agency.
    """
    found = verifications(seen(request.auth, target_id))
    return [VerificationAnswer.from_orm(each) for each in found[:500]]


@router.post("/{target_id}/verifications", response={201: AskedAnswer})
def ask_verification(request: ApiRequest, target_id: Identifier, body: Question) -> AskedAnswer:
    """Ask the originator to verify a target, by an e-mail with a link that opens once.

    Needs MODIFY_TARGET over it.
    """
    seen(request.auth, target_id)
    asked = verification.ask_verification(
        request.auth, target_id=target_id, site=settings.OPILIO.server_public_url, **body.changes()
    )
    return AskedAnswer(id=str(asked.invitation.id), path=asked.path)


@router.post("/{target_id}/verifications/{verification_id}/revoke", response={204: None})
def revoke_verification(request: ApiRequest, target_id: Identifier, verification_id: Identifier) -> None:
    """Withdraw an invitation to verify a target.

    Needs MODIFY_TARGET over it.
    """
    seen(request.auth, target_id)
    verification.revoke_verification(request.auth, target_id=target_id, invitation_id=verification_id)


@router.post("/{target_id}/verifications/{verification_id}/take", response=DescriptionAnswer)
def take_verification(request: ApiRequest, target_id: Identifier, verification_id: Identifier) -> DescriptionAnswer:
    """Take the corrections of an originator over into the description.

    Needs MODIFY_TARGET over it.
    """
    seen(request.auth, target_id)
    verification.take_verification(request.auth, target_id=target_id, invitation_id=verification_id)
    return _described(seen(request.auth, target_id).dublin_core)


def _excluded(request: ApiRequest, target_id: int, excluded_id: int) -> None:
    row = seen(request.auth, target_id)
    one(query.excluded_urls(request.auth).filter(target=row), "excluded URL", excluded_id)


def _described(core: Any) -> DescriptionAnswer:
    elements = {name: getattr(core, name) if core else "" for name in ELEMENTS}
    return DescriptionAnswer(version=core.version if core else 0, elements=elements)
