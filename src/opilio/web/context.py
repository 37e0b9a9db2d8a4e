"""What every template may ask for; each is worked out only when a template does ask."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from opilio.web import handbook, installation, languages, menu
from opilio.web.requests import viewer
from opilio.web.theme import chosen
from opilio.web.zones import name_of, zone_of


def shell(request: HttpRequest) -> dict[str, Any]:
    """The actor, the navigation, and the name of the house."""
    actor, section = viewer(request), getattr(request, "section", "")
    return {
        "actor": actor,
        "navigation": SimpleLazyObject(lambda: menu.drawn(actor, section) if actor else ""),
        "institution": SimpleLazyObject(lambda: str(installation.values(request)["institution"])),
        "sign_in_notice": SimpleLazyObject(lambda: str(installation.values(request)["sign_in_notice"])),
        "single_sign_on": settings.OPILIO.oidc_label if settings.OPILIO.oidc_issuer else "",
        "theme": chosen(request),
        "has_handbook": SimpleLazyObject(handbook.is_made),
        "language": languages.of(request),
        "language_chosen": languages.chosen(request),
        "languages": settings.LANGUAGES,
        "zone": SimpleLazyObject(lambda: name_of(zone_of(actor), actor.clock.now()) if actor else ""),
    }
