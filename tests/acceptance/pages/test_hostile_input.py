"""What no form of ours would send: too large, not UTF-8, forged, out of range."""

import re

import pytest

TOKEN = "csrfmiddlewaretoken"


def csrf(browser):
    """The browser's form token."""
    return browser.cookies["opilio-csrf"].value


def test_ten_megabytes_in_a_field(administrator):
    """A field of 10 MB is refused with a page that says so."""
    answer = administrator.send("/admin/agencies/new", {"name": "x" * 10_000_000})
    assert answer.status_code == 413
    assert "more than this installation accepts" in answer.content.decode()


@pytest.mark.parametrize("body", [b"name=\xff\xfe\xe9", "name=Bibliothèque".encode("latin-1")])
def test_a_form_that_is_not_utf8(administrator, body):
    """Raw bytes of another charset are refused, not stored garbled."""
    answer = administrator.post(
        "/admin/agencies/new",
        f"{TOKEN}={csrf(administrator)}&time_zone=UTC&".encode() + body,
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.status_code == 422
    assert "not UTF-8" in answer.content.decode()


def test_garbled_percent_signs(administrator):
    """The same, percent-encoded, is told beside the field and the rest is kept."""
    answer = administrator.post(
        "/admin/agencies/new",
        f"{TOKEN}={csrf(administrator)}&time_zone=UTC&name=a%FF&phone=1234",
        content_type="application/x-www-form-urlencoded",
    )
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "no UTF-8 text" in text
    assert 'value="1234"' in text


def test_nul_in_a_field(administrator):
    """NUL is told beside the field."""
    answer = administrator.send("/admin/agencies/new", {"name": "a\x00b", "time_zone": "UTC"})
    assert answer.status_code == 422
    assert "Null characters" in answer.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "/admin/users/1", "/admin/users/99999999999999999999999999", "/admin/users/0", "/admin/roles/7",
        "/admin/agencies/9223372036854775808", "/admin/audit/123", "/admin/lists/1", "/notes/1", "/nowhere",
        "/admin/deleted/nothing", "/rows/nothing/1/delete", "/rows/user/1/delete", "/admin/users/abc",
    ],
)  # fmt: skip
def test_what_is_not_there(administrator, path):
    """A wrong number or name gets a page that says what is not there and what to do."""
    answer = administrator.get(path)
    assert answer.status_code == 404
    assert "If you ask for help, give this number" in answer.content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "page=0", "page=-1", "page=99999999999999999999", "page=abc", "page=²", "sort=password", "sort=--username",
        "sort=-", "col=nothing", "q=%00", "q=%FF%FE", "agency=abc", "role=1e9", "state=unknown", "seen=2026-13-45",
        "seen=9999-12-31", "seen=0001-01-01", "q=" + "x" * 5_000, "agency=99999999999999999999999", "format=xml",
        "q=%27%3B%20DROP%20TABLE%20user%3B--", "q=%25", "unknown=1",
    ],
)  # fmt: skip
def test_odd_addresses_of_a_list(administrator, query):
    """A list answers whatever stands behind the question mark."""
    assert administrator.get(f"/admin/users?{query}").status_code == 200


@pytest.mark.parametrize("query", ["number=abc", "number=-1", "from=yesterday", "agency=x"])
def test_faulty_filters_of_the_audit_log(administrator, query):
    """A filter that cannot be used shows no rows rather than all."""
    text = administrator.see(f"/admin/audit?{query}")
    assert "No entry matches" in text
    assert 'class="error"' in text


def test_a_forged_form(administrator):
    """A form without the token of a page is refused, and nothing is changed."""
    answer = administrator.post("/admin/agencies/new", {"name": "Forged", "time_zone": "UTC"})
    assert answer.status_code == 403
    assert "did not come from a page" in answer.content.decode()
    assert "Forged" not in administrator.see("/admin/agencies")


def test_forms_are_not_sent_by_looking(administrator):
    """What changes something does not answer to a mere look."""
    for path in ("/sign-out", "/views/save", "/in-tray/tasks/1/claim", "/rows/user/1/restore", "/sessions/1/end"):
        assert administrator.get(path).status_code == 405, path


def test_odd_verbs(administrator):
    """Buttons that do not exist are not found."""
    for path in ("/in-tray/tasks/1/explode", "/in-tray/notifications/1/explode", "/admin/users/1/explode"):
        assert administrator.send(path).status_code == 404, path


def test_bulk_with_odd_rows(administrator):
    """Numbers that are none select nothing, and an unknown action is not found."""
    odd = administrator.send("/admin/users", {"action": "delete", "row": ["abc", "-1", "9" * 40], "confirmed": "yes"})
    assert "Nothing is selected" in odd.content.decode()
    assert administrator.send("/admin/users", {"action": "explode", "row": ["1"]}).status_code == 404


def test_too_many_fields(administrator):
    """A request with thousands of fields is refused with a page."""
    answer = administrator.get("/admin/users?" + "&".join(f"f{number}=1" for number in range(6_000)))
    assert answer.status_code == 400
    assert "too many fields" in answer.content.decode()


def test_headers_bind_the_browser(visitor, db):
    """Every answer carries the policy, and a request id that is ours unless a usable one was given."""
    for path in ("/sign-in", "/in-tray", "/nowhere"):
        headers = visitor.get(path).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert re.fullmatch(r"[0-9a-f]{16}", headers["X-Request-ID"])
    assert (
        visitor.get("/sign-in", headers={"X-Request-ID": "proxy-12345678"}).headers["X-Request-ID"] == "proxy-12345678"
    )
    assert (
        visitor.get("/sign-in", headers={"X-Request-ID": "a b\tc<script>"}).headers["X-Request-ID"] != "a b\tc<script>"
    )


def test_an_unexpected_error_is_calm(administrator, monkeypatch, caplog):
    """A fault of ours is logged under the number that the page shows; its words stay inside."""

    def broken(*_):
        raise RuntimeError("a secret detail")

    monkeypatch.setattr("opilio.web.views.home.searching.found", broken)
    administrator.raise_request_exception = False
    answer = administrator.get("/search?q=a")
    text = answer.content.decode()
    assert answer.status_code == 500
    assert answer.headers["X-Request-ID"] in text
    assert "a secret detail" not in text
    assert any("page_failed" in str(record.msg) for record in caplog.records)
