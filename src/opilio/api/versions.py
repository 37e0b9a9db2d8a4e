"""Versions of rows as ETag and If-Match (RFC 9110 §8.8.3, §13.1.1)."""

import re

from django.http import HttpRequest, HttpResponse

from opilio.people.errors import InvalidFields

_TAG = re.compile(r'(?:W/)?"([1-9][0-9]{0,9})"')


def tag(response: HttpResponse, version: int) -> None:
    """Tell the version of the row that the answer shows."""
    response.headers["ETag"] = f'"{version}"'


def base_version(request: HttpRequest, in_body: int | None) -> int:
    """The version that a change was made from: in the body, in If-Match, or both alike."""
    in_header = matched_version(request)
    if in_body is None and in_header is None:
        raise InvalidFields({"version": ["Say which version you changed: here, or in If-Match."]}, where="body")
    if in_body is not None and in_header is not None and in_body != in_header:
        raise InvalidFields({"version": ["It differs from the one in If-Match."]}, where="body")
    return in_body if in_body is not None else in_header or 0


def matched_version(request: HttpRequest) -> int | None:
    """The version in If-Match; None without the header."""
    header = request.headers.get("If-Match")
    if header is None:
        return None
    found = _TAG.fullmatch(header.strip())
    if found is None:
        raise InvalidFields({"If-Match": ['Write one ETag as it was given, as "3".']}, where="If-Match header")
    return int(found[1])
