"""The two faces of the search: for readers, who need not sign in, and for curators inside their own pages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.kernel.access import Reader
from opilio.kernel.errors import InvalidInput, Missing
from opilio.people.errors import NotAllowed
from opilio.people.queries.readers import public_reader, reader_of
from opilio.web.find_home import search_home
from opilio.web.public import public
from opilio.web.requests import PageRequest, address_of
from opilio.web.sections import section
from opilio.works.search_service import PublishedSearch
from opilio.works.working_search import WorkingSearch

SearchService = PublishedSearch | WorkingSearch
READERS: Final = "/find"
CURATORS: Final = "/search/pages"


@dataclass(frozen=True, kw_only=True, slots=True)
class Face:
    """Who searches, where, and in which index."""

    base: str
    layout: str  # template
    reader: Reader
    working: bool = False  # whether the working index is asked

    @property
    def for_curators(self) -> bool:
        """Whether access classes and the switch between the indexes are shown."""
        return self.base == CURATORS

    @property
    def reviews(self) -> bool:
        """Whether the working index may be asked."""
        return self.for_curators and bool(self.reader.staff_of)

    def path(self, name: str = "", **parameters: str) -> str:
        """The address of a page of this face, in the same index."""
        given = {key: value for key, value in parameters.items() if value}
        if self.working:
            given["in"] = "working"
        base = f"{self.base}/{name}" if name else self.base
        return f"{base}?{urlencode(given, errors='replace')}" if given else base

    @property
    def suggest(self) -> str:
        """Where suggestions come from."""
        return self.path("suggest")

    def service(self) -> SearchService | None:
        """Who answers; None while nothing is published, or no crawl followed."""
        if not self.working:
            published = search_home().published()
            return published if published.generation else None
        try:
            return search_home().working()
        except Missing:
            return None


View = Callable[[HttpRequest, Face, SearchService], HttpResponse]
StoryView = Callable[[HttpRequest, Face, PublishedSearch], HttpResponse]
FaceView = Callable[[HttpRequest, Face], HttpResponse]


def reader_face(request: HttpRequest) -> Face:
    """For everybody: what the public may find, whoever is signed in."""
    return Face(base=READERS, layout="web/find/reader.html", reader=public_reader(address_of(request)))


def curator_face(request: PageRequest) -> Face:
    """For people who signed in, with what their agency lets them see."""
    reader, working = reader_of(request.actor), request.GET.get("in") == "working"
    if working and not reader.staff_of:
        raise NotAllowed(
            f"{request.actor.username} may not search the working index", where=CURATORS,
            remedy="It is for those who handle or endorse harvests; search what is published instead.",
        )  # fmt: skip
    return Face(base=CURATORS, layout="web/find/curator.html", reader=reader, working=working)


def for_readers(view: FaceView) -> Callable[[HttpRequest], HttpResponse]:
    """The view, open to everybody."""

    def shown(request: HttpRequest) -> HttpResponse:
        return view(request, reader_face(request))

    return public(require_safe(shown))


def for_curators(view: FaceView) -> Callable[[PageRequest], HttpResponse]:
    """The view inside the curators' pages."""

    @section("search")
    @require_safe
    def shown(request: PageRequest) -> HttpResponse:
        return view(request, curator_face(request))

    return shown  # type: ignore[return-value]  # a section answers whatever its view answers


def answered(view: View) -> FaceView:
    """A view that needs an index: without one, and for what is not there or makes no sense, a page says what to do."""

    def shown(request: HttpRequest, face: Face) -> HttpResponse:
        service = face.service()
        if service is None:
            return render(request, "web/find/unpublished.html", {"face": face})
        try:
            return view(request, face, service)
        except (Missing, InvalidInput) as error:
            return render(request, "web/find/absent.html", {"face": face, "error": error}, status=error.http_status)

    return shown


def told(view: StoryView) -> FaceView:
    """A view that tells a story, which only a generation can."""

    @answered
    def shown(request: HttpRequest, face: Face, service: SearchService) -> HttpResponse:
        if isinstance(service, WorkingSearch):
            remedy = "Look it up among what is published; until then, the hits tell all that is known."
            raise Missing("the working index tells no stories", remedy=remedy)
        return view(request, face, service)

    return shown
