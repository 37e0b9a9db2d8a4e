"""What programs that look after the server ask: does it live, can it work, and how much goes on."""

import ipaddress
from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from opilio import __version__
from opilio.kernel.errors import BadSetting, OpilioError
from opilio.kernel.settings import Settings
from opilio.server import migrations_state, place
from opilio.server.checks import catalogue
from opilio.server.checks.finding import Level
from opilio.server.database_errors import mapped_database_errors
from opilio.server.figures import Figure, figures
from opilio.web.public import public
from opilio.web.requests import address_of

_FORM = "text/plain; version=0.0.4; charset=utf-8"


@public
def live(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is looked at, so that a database that is away restarts nobody."""
    return JsonResponse({"live": True, "version": __version__})


@public
def ready(request: HttpRequest) -> HttpResponse:
    """Whether requests should come here: the database answers and has tables that this version can work with."""
    try:
        with mapped_database_errors(place.where()):
            found = catalogue.reachable()
            migrations_state.require_fitting(place.where())
    except OpilioError as error:
        reason = {"code": error.code, "message": "The database cannot be used; the log says why."}
        return JsonResponse({"ready": False, "error": reason}, status=503, headers={"Retry-After": "5"})
    return JsonResponse({"ready": found.level is Level.OK, "version": __version__})


@public
def metrics(request: HttpRequest) -> HttpResponse:
    """The figures in Prometheus' form, for addresses in the networks of the setting metrics_networks."""
    chosen: Settings = settings.OPILIO
    if not _within(address_of(request), chosen.metrics_networks):
        words = "Figures are told to the networks of the setting metrics_networks only.\n"
        return HttpResponse(words, status=403, content_type="text/plain; charset=utf-8")
    with mapped_database_errors(place.where()):
        found = figures(chosen)
    return HttpResponse("".join(_lines(found)), content_type=_FORM)


def _within(address: str, networks: tuple[str, ...]) -> bool:
    try:
        asker = ipaddress.ip_address(address)
    except ValueError:
        return False
    asker = getattr(asker, "ipv4_mapped", None) or asker
    return any(asker in _network(text) for text in networks)


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        raise BadSetting(
            f"{text!r:.80} is no network", where="metrics_networks", remedy="Write networks as 10.1.0.0/16."
        ) from error


def _lines(found: list[Figure]) -> Iterator[str]:
    told_of = ""
    for figure in found:
        family = figure.family or figure.name
        if family != told_of:
            yield f"# HELP {family} {figure.words}\n# TYPE {family} {figure.kind}\n"
            told_of = family
        for labels, value in figure.values:
            told = ",".join(f'{name}="{_escaped(text)}"' for name, text in labels.items())
            number = int(value) if value == int(value) else value
            yield f"{figure.name}{{{told}}} {number}\n" if told else f"{figure.name} {number}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
