"""What every template may ask for; each is worked out only when a template does ask."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from opilio.people.queries.intray import waiting
from opilio.web import handbook, installation, languages
from opilio.web.requests import viewer
from opilio.web.sections import navigation
from opilio.web.theme import chosen
from opilio.web.zones import name_of, zone_of


def shell(request: HttpRequest) -> dict[str, Any]:
    """The actor, the navigation, the name of the house, and how much waits in the in-tray."""
    actor = viewer(request)
    return {
        "actor": actor,
        "section": getattr(request, "section", ""),
        "navigation": SimpleLazyObject(lambda: navigation(actor) if actor else []),
        "institution": SimpleLazyObject(lambda: str(installation.values(request)["institution"])),
        "sign_in_notice": SimpleLazyObject(lambda: str(installation.values(request)["sign_in_notice"])),
        "waiting": SimpleLazyObject(lambda: waiting(actor) if actor else 0),
        "single_sign_on": settings.OPILIO.oidc_label if settings.OPILIO.oidc_issuer else "",
        "theme": chosen(request),
        "has_handbook": SimpleLazyObject(handbook.is_made),
        "language": languages.of(request),
        "language_chosen": languages.chosen(request),
        "languages": settings.LANGUAGES,
        "zone": SimpleLazyObject(lambda: name_of(zone_of(actor), actor.clock.now()) if actor else ""),
    }
