"""Whatever is wrong with a request, the answer has the one error shape."""

from io import BytesIO

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.db import OperationalError
from django.test import Client

from opilio.api.bodies import check_body
from opilio.api.errors import BodyTooLarge
from opilio.api.nouns import audit
from opilio.people.privileges import Privilege, Scope


@pytest.mark.parametrize("path", ["/", "/nothing", "/users/1/2/3", "/users/", "/me/../x", "/%00", "/ü/%FF"])
def test_unknown_address(stranger, fault, path):
    """An address that nothing answers is 404 in our shape, also to strangers."""
    assert fault(stranger.get(path), 404)["code"] == "no-such-address"


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/me"), ("POST", "/me"), ("OPTIONS", "/users"), ("BREW", "/tasks"), ("POST", "/docs")]
)
def test_unknown_method(stranger, fault, method, path):
    """A method that the address does not know is 405, with those that it does."""
    answer = stranger.raw(method, path, b"")
    assert fault(answer, 405)["code"] == "no-such-method"
    assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize(
    "identifier", ["abc", "-1", "1.5", "٣", "1e3", "9223372036854775808", "0x10", "1_0", "%00", "9" * 400]
)
def test_identifiers_that_are_none(office, fault, identifier):
    """What is no identifier is refused before anything is asked."""
    caller = office.manager(Privilege.MANAGE_USERS)
    assert "user_id" in fault(caller.get(f"/users/{identifier}"), 422)["fields"]


def test_identifier_of_nothing(office, fault):
    """An identifier of which there is no row is 404."""
    assert fault(office.manager(Privilege.MANAGE_USERS).get("/users/9223372036854775807"), 404)["code"] == "not-found"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "bad-body"),
        (b'{"name": "\xff\xfe"}', "bad-body"),
        ("{}".encode("utf-16"), "bad-body"),
        (b"[" * 100_000, "bad-body"),
        (b'{"name": NaN}', "bad-body"),
        (b"1" * 6_000, "bad-body"),
    ],
)
def test_broken_bodies(office, fault, body, code):
    """A body that is no JSON, or no UTF-8, is 400."""
    assert fault(office.caller().raw("POST", "/tokens", body), 400)["code"] == code


@pytest.mark.parametrize("body", [b"[]", b"null", b'"text"', b"1", b"{}", b'{"name": {"a": 1}}', b'{"version": true}'])
def test_bodies_of_another_shape(office, fault, body):
    """JSON that is not the wanted object is 422 and says which field."""
    assert fault(office.caller().raw("PATCH", "/me", body), 422)["fields"]


@pytest.mark.parametrize("text", ["a\\u0000b", "\\ud800"])
def test_texts_that_are_none(office, fault, text):
    """NUL and half surrogate pairs, which no database stores, are refused with their field."""
    body = f'{{"version": 1, "phone": "{text}"}}'.encode()
    assert "phone" in fault(office.caller().raw("PATCH", "/me", body), 422)["fields"]


def test_empty_body(office, fault):
    """A body that is needed and missing is 422."""
    assert fault(office.caller().raw("POST", "/tokens", b""), 422)["fields"]


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "a" * 300]
)
def test_other_media_types(office, fault, kind):
    """A body that does not say it is JSON is 415."""
    assert fault(office.caller().raw("POST", "/tokens", b"{}", kind), 415)["code"] == "wrong-media-type"


def test_compressed_body(office, fault):
    """A compressed body is 415."""
    fault(office.caller().raw("POST", "/tokens", b"{}", **{"Content-Encoding": "gzip"}), 415)


def test_body_too_large(office, fault, settings):
    """A body beyond the limit is 413, and is not parsed."""
    body = b'{"name": "' + b"x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE + b'"}'
    assert fault(office.caller().raw("POST", "/tokens", body), 413)["code"] == "body-too-large"


def test_body_of_unannounced_length(settings):
    """A body that comes in chunks is read no further than the limit."""
    stream = BytesIO(b"x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 10))
    headers = [(b"content-type", b"application/json"), (b"transfer-encoding", b"chunked")]
    scope = {"type": "http", "method": "POST", "path": "/api/v1/tokens", "headers": headers, "query_string": b""}
    with pytest.raises(BodyTooLarge):
        check_body(ASGIRequest(scope, stream))
    assert len(stream.read()) == 9


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": "0"}, "limit"), ({"limit": "501"}, "limit"), ({"limit": "many"}, "limit"),
        ({"agency": "x"}, "agency"),
        ({"since": "yesterday"}, "since"), ({"since": "2026-01-01T00:00:00"}, "since"), ({"acton": "x"}, "acton"),
        ({"until": "9999-12-31T23:59:59-14:00"}, "until"), ({"username": "a\0b"}, "username"),
    ],
)  # fmt: skip
def test_bad_parameters(office, fault, query, field):
    """A parameter that is unknown, out of range or no text is 422 and named."""
    assert field in fault(office.manager(Privilege.VIEW_AUDIT).get("/audit", **query), 422)["fields"]


def test_the_correlation_id_reaches_the_audit_log(office):
    """A usable id that a proxy gives stands in the answer and in the audit entry."""
    caller = office.caller(privileges={Privilege.VIEW_AUDIT: Scope.ALL})
    version = caller.get("/me").json()["version"]
    answer = caller.patch("/me", {"version": version, "phone": "1"}, **{"X-Request-ID": "proxy-0001"})
    assert answer.headers["X-Request-ID"] == "proxy-0001"
    (entry,) = caller.get("/audit", correlation="proxy-0001").json()["items"]
    assert (entry["action"], entry["via"]) == ("account.update", "api")


def test_database_away(office, fault, monkeypatch):
    """A database that refuses is 503."""
    monkeypatch.setattr(audit, "audit_entries", _raises(OperationalError("database is locked")))
    assert fault(office.manager(Privilege.VIEW_AUDIT).get("/audit"), 503)["code"] == "unavailable"


def test_our_own_fault(office, fault, monkeypatch, caplog):
    """A fault of ours is 500 in our shape: the trace goes to the log, not to the asker."""
    secret = office.secret(office.user(privileges={Privilege.VIEW_AUDIT: Scope.AGENCY}))
    monkeypatch.setattr(audit, "audit_entries", _raises(RuntimeError("secret detail")))
    client = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {secret}"})
    answer = client.get("/api/v1/audit")
    assert fault(answer, 500)["code"] == "unexpected"
    assert b"secret detail" not in answer.content
    assert any("secret detail" in (record.exc_text or str(record.exc_info)) for record in caplog.records)


def _raises(error):
    def fail(*_):
        raise error

    return fail
