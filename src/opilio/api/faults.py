"""The one shape in which every error leaves the API."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, JsonResponse

from opilio.api.identifiers import with_text_ids
from opilio.api.requests import correlation
from opilio.kernel.errors import OpilioError
from opilio.people.errors import InvalidFields, Stale

CHALLENGE = 'Bearer realm="opilio"'


def refusal(request: HttpRequest, error: OpilioError, headers: Mapping[str, str] | None = None) -> JsonResponse:
    """The answer that tells an error."""
    answer = JsonResponse({"error": told(error, correlation(request))}, status=error.http_status)
    if error.http_status == 401:
        answer.headers["WWW-Authenticate"] = CHALLENGE
    for name, value in (headers or {}).items():
        answer.headers[name] = value
    return answer


def told(error: OpilioError, correlation_id: str) -> dict[str, Any]:
    """An error as a program reads it."""
    shape: dict[str, Any] = {
        "code": error.code,
        "message": error.what,
        "where": error.where,
        "remedy": error.remedy,
        "correlation": correlation_id,
    }
    if isinstance(error, InvalidFields):
        shape["fields"] = error.messages
    if isinstance(error, Stale):
        shape["mine"], shape["theirs"] = with_text_ids(error.mine), with_text_ids(error.theirs)
    return shape
