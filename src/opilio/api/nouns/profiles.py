"""Profiles: list, show, make, change, copy, switch, transfer, delete; their versions and what differs between them."""

import datetime
from typing import Any

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Count, Line, Named, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import profiles as actions
from opilio.curation.kinds import PROFILE
from opilio.curation.profile_settings import difference, from_plain
from opilio.curation.queries import profiles as queries
from opilio.curation.words import ProfileStatus
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["profiles"])
_ORDER = Order(name="profiles", column="name")
_READERS = (Privilege.VIEW_PROFILES, Privilege.MANAGE_PROFILES)
_EXAMPLE = {"limits": {"pages": 1000}, "manners": {"preset": "gentle"}}


class ProfileAnswer(Answer):
    """A profile in a list."""

    id: Id
    name: str
    description: str
    agency: Named
    level: int = Field(description="Level that a user needs in order to choose it.")
    status: str = Field(examples=["active"])
    is_default: bool
    use_count: int = Field(description="How many targets and groups use it.")
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class ProfileWithSettings(ProfileAnswer):
    """A profile with its settings."""

    settings: dict[str, Any] = Field(description="A crawl plan without seeds.", examples=[_EXAMPLE])


class ProfileFilters(Schema):
    """Which profiles are listed."""

    q: Line = Field("", description="Part of the name.")
    agency: Identifier | None = Field(None, description="Agency of the profile.")


class ProfileFields(Body):
    """Details; those left out stay as they are."""

    description: str | None = Field(None, max_length=4_000)
    level: int | None = Field(None, ge=1, le=3, strict=True)


class ProfileNew(ProfileFields):
    """A profile to be made, or imported."""

    agency: Identifier
    name: str = Field(min_length=1, max_length=255, examples=["Weekly news sites"])
    settings: dict[str, Any] = Field({}, description="What is left out has its default.", examples=[_EXAMPLE])


class ProfileChange(ProfileFields):
    """Fields to change; `settings` are the whole set."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Line | None = None
    settings: dict[str, Any] | None = None


class ProfileCopy(Body):
    """The name of a copy."""

    name: str = Field(min_length=1, max_length=255)


class ProfileTransfer(Body):
    """Where targets and groups are moved to."""

    into: Identifier = Field(description="An active profile of the same agency.")


class VersionAnswer(Answer):
    """A version of a profile's settings."""

    number: int
    at: datetime.datetime
    by: str = Field(description="User name; empty: the system.")
    settings: dict[str, Any]


class ChangeAnswer(Answer):
    """One field that differs."""

    place: str = Field(examples=["limits.pages"])
    before: Any
    after: Any


@router.get("", response=Page[ProfileAnswer])
def list_profiles(request: ApiRequest, filters: Query[ProfileFilters], paging: Query[Paging]) -> Page[ProfileAnswer]:
    """List the profiles of your agencies, by name.

    Needs VIEW_PROFILES or MANAGE_PROFILES.
    """
    need(request.auth, "see profiles", *_READERS)
    rows = queries.profiles(request.auth)
    if filters.q:
        rows = rows.filter(name__icontains=filters.q)
    if filters.agency is not None:
        rows = rows.filter(agency_id=filters.agency)
    return page(rows, _ORDER, paging, ProfileAnswer, lambda row: ProfileAnswer(**_told(row)))


@router.post("", response={201: ProfileWithSettings})
def create_profile(request: ApiRequest, response: HttpResponse, body: ProfileNew) -> ProfileWithSettings:
    """Make a profile, or import one.

    Needs MANAGE_PROFILES in its agency.
    """
    made = actions.create_profile(
        request.auth, agency_id=body.agency, name=body.name, settings=body.settings,
        **body.changes("agency", "name", "settings"),
    )  # fmt: skip
    return _shown(request.auth, made.pk, response)


@router.get("/{profile_id}", response=ProfileWithSettings)
def show_profile(request: ApiRequest, response: HttpResponse, profile_id: Identifier) -> ProfileWithSettings:
    """Show a profile with its settings.

    Needs VIEW_PROFILES or MANAGE_PROFILES in its agency.
    """
    return _shown(request.auth, profile_id, response)


@router.patch("/{profile_id}", response=ProfileWithSettings)
def change_profile(
    request: ApiRequest, response: HttpResponse, profile_id: Identifier, body: ProfileChange
) -> ProfileWithSettings:
    """Change a profile; the settings before are kept as a version.

    Needs MANAGE_PROFILES in its agency.
    """
    _found(request.auth, profile_id)
    actions.update_profile(
        request.auth, profile_id=profile_id, version=base_version(request, body.version), **body.changes()
    )
    return _shown(request.auth, profile_id, response)


@router.delete("/{profile_id}", response={204: None})
def delete_profile(request: ApiRequest, profile_id: Identifier) -> None:
    """Delete a profile that nothing uses, so that it can be restored.

    Needs MANAGE_PROFILES in its agency.
    """
    delete(request.auth, PROFILE, profile_id, matched_version(request))


@router.post("/{profile_id}/copy", response={201: ProfileWithSettings})
def copy_profile(
    request: ApiRequest, response: HttpResponse, profile_id: Identifier, body: ProfileCopy
) -> ProfileWithSettings:
    """Make a profile like this one.

    Needs MANAGE_PROFILES in its agency.
    """
    _found(request.auth, profile_id)
    made = actions.copy_profile(request.auth, profile_id=profile_id, name=body.name)
    return _shown(request.auth, made.pk, response)


@router.post("/{profile_id}/activate", response=ProfileWithSettings)
def activate_profile(request: ApiRequest, response: HttpResponse, profile_id: Identifier) -> ProfileWithSettings:
    """Let targets choose the profile again.

    Needs MANAGE_PROFILES in its agency.
    """
    return _switched(request.auth, profile_id, "activate", response)


@router.post("/{profile_id}/deactivate", response=ProfileWithSettings)
def deactivate_profile(request: ApiRequest, response: HttpResponse, profile_id: Identifier) -> ProfileWithSettings:
    """Let no target choose the profile any more; those that have it keep it.

    Needs MANAGE_PROFILES in its agency.
    """
    return _switched(request.auth, profile_id, "deactivate", response)


@router.post("/{profile_id}/default", response=ProfileWithSettings)
def make_default(request: ApiRequest, response: HttpResponse, profile_id: Identifier) -> ProfileWithSettings:
    """Make the profile the default of its agency.

    Needs MANAGE_PROFILES in its agency.
    """
    _found(request.auth, profile_id)
    actions.set_default_profile(request.auth, profile_id=profile_id)
    return _shown(request.auth, profile_id, response)


@router.post("/{profile_id}/transfer", response=Count)
def transfer_profile(request: ApiRequest, profile_id: Identifier, body: ProfileTransfer) -> Count:
    """Give all targets and groups that use the profile another one.

    Needs MANAGE_PROFILES in their agency.
    """
    _found(request.auth, profile_id)
    return Count(count=actions.transfer_profile(request.auth, profile_id=profile_id, into_id=body.into))


@router.get("/{profile_id}/versions", response=list[VersionAnswer])
def list_versions(request: ApiRequest, profile_id: Identifier) -> list[VersionAnswer]:
    """List the versions of a profile's settings, newest first, at most 500.

    Needs VIEW_PROFILES or MANAGE_PROFILES in its agency.
    """
    need(request.auth, "see profiles", *_READERS)
    return [
        VersionAnswer(number=one.number, at=one.at, by=one.by.username if one.by else "", settings=one.settings)
        for one in queries.versions(request.auth, profile_id)
    ]


class Between(Schema):
    """Two versions."""

    before: int = Field(ge=1, le=2**31 - 1, description="Number of the earlier version.")
    after: int = Field(ge=1, le=2**31 - 1, description="Number of the later version.")


@router.get("/{profile_id}/difference", response=list[ChangeAnswer])
def show_difference(request: ApiRequest, profile_id: Identifier, between: Query[Between]) -> list[ChangeAnswer]:
    """Show what differs between two versions of a profile.

    Needs VIEW_PROFILES or MANAGE_PROFILES in its agency.
    """
    need(request.auth, "see profiles", *_READERS)
    old = queries.profile_version(request.auth, profile_id, between.before)
    new = queries.profile_version(request.auth, profile_id, between.after)
    found = difference(from_plain(old.settings), from_plain(new.settings))
    return [ChangeAnswer(place=one.place, before=one.before, after=one.after) for one in found]


def _found(actor: Actor, profile_id: int) -> None:
    need(actor, "change profiles", Privilege.MANAGE_PROFILES)
    queries.profile(actor, profile_id)


def _switched(actor: Actor, profile_id: int, verb: str, response: HttpResponse) -> ProfileWithSettings:
    _found(actor, profile_id)
    actions.switch_profile(actor, profile_id=profile_id, verb=verb)
    return _shown(actor, profile_id, response)


def _shown(actor: Actor, profile_id: int, response: HttpResponse) -> ProfileWithSettings:
    need(actor, "see profiles", *_READERS)
    row = queries.profile(actor, profile_id)
    tag(response, row.version)
    return ProfileWithSettings(**_told(row), settings=row.settings)


def _told(row: Any) -> dict[str, Any]:
    agency = Named(id=row.agency.pk, name=row.agency.name)
    plain = ("name", "description", "level", "is_default", "use_count", "created", "updated", "version")
    told = {name: getattr(row, name) for name in plain}
    return {**told, "id": row.pk, "agency": agency, "status": ProfileStatus(row.status).name.lower()}
