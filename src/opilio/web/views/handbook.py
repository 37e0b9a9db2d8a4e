"""Shows the handbook, to everybody."""

import mimetypes
from pathlib import Path

from django.core.exceptions import SuspiciousFileOperation
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils._os import safe_join
from django.views.decorators.http import require_safe

from opilio.kernel.errors import Missing
from opilio.web import handbook
from opilio.web.public import public


@public
@require_safe
def page(request: HttpRequest, path: str = "") -> HttpResponseBase:
    """A file of the handbook."""
    if not handbook.is_made():
        remedy = "Whoever runs this installation makes it with `make docs`; wheels bring it along."
        raise Missing("The handbook was not made here", where="/docs/", remedy=remedy)
    if not path:
        return HttpResponseRedirect("/docs/index.html")
    data = _file(path).read_bytes()
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    response = HttpResponse(data, content_type=f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
    if kind == "text/html":
        response["Content-Security-Policy"] = handbook.policy(data)
    response["Cache-Control"] = "max-age=300"
    return response


def _file(path: str) -> Path:
    try:
        found = Path(safe_join(handbook.FOLDER, path))
    except SuspiciousFileOperation as error:
        raise Http404 from error
    if not found.is_file():
        raise Http404
    return found
