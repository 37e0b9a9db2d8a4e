"""Shows a letter for printing. It may show the picture of the agency, and nothing else from elsewhere."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from opilio.web.security_policy import content_security_policy

if TYPE_CHECKING:
    from opilio.curation.letters import Letter
    from opilio.curation.models import Permission


def letter_page(request: HttpRequest, row: "Permission", letter: "Letter") -> HttpResponse:
    """The letter, to be printed now: the address of its answer form is not shown again."""
    response = render(request, "web/letters/letter.html", {"row": row, "letter": letter})
    if letter.logo:
        parts = urlsplit(letter.logo)
        response.headers["Content-Security-Policy"] = content_security_policy(f"{parts.scheme}://{parts.netloc}")
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
