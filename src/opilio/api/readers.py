"""Who asks the index through the API, and which part of it answers."""

from django.conf import settings
from django.http import HttpRequest

from opilio.api.auth import Anybody
from opilio.api.errors import NotSignedIn
from opilio.api.requests import address
from opilio.kernel.access import Reader
from opilio.people.actor import Actor
from opilio.people.errors import NotAllowed
from opilio.people.queries.readers import public_reader, reader_of
from opilio.works import search_setup
from opilio.works.search_home import SearchHome
from opilio.works.search_service import PublishedSearch
from opilio.works.working_search import WorkingSearch


class ReaderRequest(HttpRequest):
    """A request of somebody who may be a stranger."""

    auth: Actor | Anybody


def reader(request: ReaderRequest) -> Reader:
    """Who asks, as the rules of access want to be told."""
    return public_reader(address(request)) if isinstance(request.auth, Anybody) else reader_of(request.auth)


def search_home() -> SearchHome:
    """The index that the settings in force describe."""
    return search_setup.search_home(settings.OPILIO)


def published() -> PublishedSearch:
    """The published generation."""
    return search_home().published()


def searched(request: ReaderRequest, index: str) -> PublishedSearch | WorkingSearch:
    """The index that is asked; the working one only by staff."""
    if index != "working":
        return published()
    if isinstance(request.auth, Anybody):
        raise NotSignedIn(
            "The working index is for people who signed in", where="in", remedy="Send an API token, or leave `in` out."
        )
    if not reader(request).staff_of:
        raise NotAllowed(
            f"{request.auth.username} may not search the working index", where="in",
            remedy="It is for those who handle or endorse harvests; the token needs such a scope.",
        )  # fmt: skip
    return search_home().working()
