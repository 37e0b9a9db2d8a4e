"""The file of compiled rules, for nodes that pull it: whoever has the token of the nodes may have it.

The rules name what was taken down, so that they are not for everybody; their signature is checked by those who pull.
"""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from opilio.kernel.errors import OpilioError
from opilio.web.public import public
from opilio.works.access_home import access_place
from opilio.works.node_token import TOKEN_FILE, read_token

_SCHEME = "Bearer "
_TYPE = "application/x-ndjson"


@never_cache
@require_safe
def _file(request: HttpRequest) -> HttpResponse:
    if not _may(request):
        answer = HttpResponse("The token of the nodes is needed.\n", status=401, content_type="text/plain")
        answer["WWW-Authenticate"] = 'Bearer realm="opilio"'
        return answer
    path = access_place(settings.OPILIO).rules
    if not path.exists():
        return HttpResponse("There are no rules of access yet.\n", status=404, content_type="text/plain")
    return HttpResponse(path.read_bytes(), content_type=_TYPE)


def _may(request: HttpRequest) -> bool:
    """A token that cannot be read lets nobody in."""
    try:
        token = read_token(settings.OPILIO.secrets_folder / TOKEN_FILE, needed=False)
    except OpilioError:
        return False
    given = request.headers.get("Authorization", "")
    if not token or not given.startswith(_SCHEME):
        return False
    return secrets.compare_digest(given.removeprefix(_SCHEME).encode(), token.encode())


rules_file = public(_file)
