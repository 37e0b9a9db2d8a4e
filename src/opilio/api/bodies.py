"""Reads JSON bodies and query strings strictly: what the catalogue could not store is refused here, with its place."""

import json
import re
from typing import Any, NoReturn, cast

from django.conf import settings
from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from ninja.parser import Parser

from opilio.api.errors import BadBody, BodyTooLarge, WrongMediaType
from opilio.people.errors import InvalidFields

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_DEEPEST = 32


class StrictParser(Parser):
    """Django Ninja's parser without its leniency."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """The JSON of the body."""
        try:
            text = request.body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadBody(
                f"The body is not UTF-8: byte {error.start} cannot be read", where="body", remedy="Send UTF-8."
            ) from error
        try:
            found = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise BadBody(f"The body is no JSON: {error}", where="body", remedy="Send one JSON object.") from error
        _check(found, "", 0)
        return cast("dict[str, Any]", found)

    def parse_querydict(
        self, data: MultiValueDict[str, Any], list_fields: list[str], request: HttpRequest
    ) -> dict[str, Any]:
        """The parameters of the query string."""
        found = super().parse_querydict(data, list_fields, request)
        for name, value in found.items():
            _check(name, name, 0)
            _check(value, name, 0)
        return found


def check_body(request: HttpRequest) -> None:
    """A body must keep to the limit, say that it is JSON, and not be compressed."""
    if request.method not in _UNSAFE or not _read(request):
        return
    if request.content_type != "application/json" or request.headers.get("Content-Encoding", "identity") != "identity":
        raise WrongMediaType(
            f"A body of type {(request.content_type or '')[:64]!r} cannot be read", where="Content-Type header",
            remedy="Send application/json, not compressed.",
        )  # fmt: skip


def _read(request: HttpRequest) -> bytes:
    """The body, read within the limit also when its length was not announced."""
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0
    announced = request.headers.get("Content-Length", "")
    if not hasattr(request, "_body"):
        too_long = announced.isdecimal() and (len(announced) > 18 or int(announced) > limit)
        data = b"" if too_long else request.read(limit + 1)
        if too_long or len(data) > limit:
            raise BodyTooLarge(
                f"The body has more than {limit} bytes", where="body",
                remedy="Send less at a time; the setting server_max_form_bytes is the limit.",
            )  # fmt: skip
        request._body = data
    return request.body


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _check(value: Any, where: str, depth: int) -> None:
    """Refuse texts with NUL or lone surrogates, and nesting beyond reason."""
    if depth > _DEEPEST:
        raise BadBody(f"The body is nested more than {_DEEPEST} deep", where="body", remedy="Send a flat object.")
    if isinstance(value, str) and _UNSTORABLE.search(value):
        place = _UNSTORABLE.sub("�", where) or "body"
        raise InvalidFields({place: ["It holds a NUL or half a surrogate pair, which is no text."]}, where="request")
    if isinstance(value, dict):
        for name, one in value.items():
            _check(name, name, depth + 1)
            _check(one, f"{where}.{name}".lstrip("."), depth + 1)
    elif isinstance(value, list):
        for one in value:
            _check(one, where, depth + 1)
