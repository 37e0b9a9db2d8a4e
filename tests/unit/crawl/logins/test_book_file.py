"""A file of credentials: what it may hold, who may read it, and what is said when it is wrong."""

import os

import pytest

from opilio.crawl.logins.book_file import read_book
from opilio.crawl.logins.credential import Basic, Cookies, Digest, Form, Headers, Kind, Negotiate
from opilio.crawl.logins.errors import BadCredentials
from opilio.kernel.errors import OpilioError

SECRET = "straw7hay"
BASIC = f'[granary]\nkind = "basic"\nhosts = ["www.example.org"]\nuser = "curator"\npassword = "{SECRET}"\n'


def written(tmp_path, text, mode=0o600):
    file = tmp_path / "logins.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    file.chmod(mode)
    return file


def read(tmp_path, text, environ=None):
    return read_book(written(tmp_path, text), environ or {})


def test_every_kind_can_be_written(tmp_path):
    """One table each; secrets may stand in variables of the environment."""
    text = """
        [a]
        kind = "basic"
        hosts = ["a.example.org", "b.example.org:8443"]
        user = "curator"
        password_variable = "A_PASSWORD"
        realm = "Granary"
        [b]
        kind = "digest"
        domain = "example.org"
        user = "curator"
        password = "p"
        tries = 1
        [c]
        kind = "negotiate"
        domain = "example.org"
        [d]
        kind = "form"
        hosts = ["www.example.org"]
        path = "/members/"
        page = "https://www.example.org/login"
        user = "curator"
        password = "p"
        user_field = "name"
        password_field = "word"
        fields = { remember = "yes" }
        success = { text = "Welcome", url = "/home", cookie = "sid" }
        expired_url = "/login"
        expired_text = "Sign in again"
        logout = "/bye"
        [e]
        kind = "header"
        hosts = ["api.example.org"]
        https_only = false
        headers = { X-Kind = "reader" }
        header_variables = { X-Key = "E_KEY" }
        [f]
        kind = "cookie"
        hosts = ["[::1]:8080"]
        cookies = { sid = "abc" }
    """
    book = read(tmp_path, text, {"A_PASSWORD": "pa", "E_KEY": "ke"})
    ways = {name: each.way for name, each in book.credentials.items()}
    assert ways["a"] == Basic(user="curator", password="pa", realm="Granary")
    assert ways["b"] == Digest(user="curator", password="p")
    assert ways["c"] == Negotiate()
    assert isinstance(ways["d"], Form)
    assert (ways["d"].page, ways["d"].fields) == ("https://www.example.org/login", {"remember": "yes"})
    assert ways["e"] == Headers(headers=(("X-Kind", "reader"), ("X-Key", "ke")))
    assert ways["f"] == Cookies(cookies=(("sid", "abc"),))
    assert [each.kind for each in book.credentials.values()] == list(Kind)
    assert (book.get("b").tries, book.get("d").logout, book.get("e").reach.https_only) == (1, "/bye", False)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o660, 0o604, 0o700])
def test_a_file_that_others_may_read_is_refused(tmp_path, mode):
    """The remedy names the command."""
    with pytest.raises(BadCredentials) as caught:
        read_book(written(tmp_path, BASIC, mode), {})
    assert f"{mode:03o}" in caught.value.what
    assert "chmod 600" in caught.value.remedy


def test_a_file_that_is_missing_or_none_is_told(tmp_path):
    """A folder and a pipe are no files; nothing is waited for."""
    with pytest.raises(OpilioError):
        read_book(tmp_path / "nowhere", {})
    with pytest.raises(BadCredentials, match="ordinary file"):
        read_book(tmp_path, {})
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(BadCredentials, match="ordinary file"):
        read_book(tmp_path / "pipe", {})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"\xff\xfe", "no UTF-8"),
        (f"[granary\npassword = {SECRET}", "no TOML"),
        ("", "no credential"),
        ("x" * 1_100_000, "larger than 1 MiB"),
        ('granary = "x"', "no table"),
        ('["gra nary"]\nkind = "basic"', "name has other signs"),
        ("[granary]\nuser = 1", "`kind` is missing"),
        (BASIC.replace('"basic"', '"ntlm"'), "`kind` is 'ntlm'"),
        (f'{BASIC}pasword = "{SECRET}"', "`pasword` is not known"),
        (f'{BASIC}password_variable = "{SECRET}"', "not both"),
        (BASIC.replace(f'password = "{SECRET}"', 'password_variable = "NOT_SET"'), "NOT_SET is not set"),
        (BASIC.replace(f'"{SECRET}"', "7"), "`password` is no text"),
        (BASIC.replace(SECRET, f"{SECRET}\\n"), "line break"),
        (BASIC.replace("curator", "cura:tor"), "colon"),
        (BASIC.replace('["www.example.org"]', '"www.example.org"'), "no list of texts"),
        (BASIC.replace("www.example.org", "https://www.example.org/"), "no host name"),
        (BASIC.replace("www.example.org", "www.example.org:99999"), "no host name"),
        (BASIC.replace('hosts = ["www.example.org"]', 'domain = "co.uk"'), "no domain that somebody registered"),
        (BASIC.replace('hosts = ["www.example.org"]\n', ""), "one of them is needed"),
        (f"{BASIC}https_only = 1", "neither true nor false"),
        (f"{BASIC}tries = 6", "no number from 1 to 5"),
        (f"{BASIC}tries = true", "no number from 1 to 5"),
        (f'{BASIC}logout = "("', "`logout` is no expression"),
        (f'{BASIC}path = "members"', "does not begin with /"),
    ],
)
def test_a_wrong_file_is_refused_without_repeating_what_is_secret(tmp_path, text, told):
    """The message names the credential and the value that is wrong."""
    with pytest.raises(BadCredentials) as caught:
        read(tmp_path, text)
    assert told in str(caught.value)
    assert SECRET not in str(caught.value)


FORM = '[granary]\nkind = "form"\nhosts = ["www.example.org"]\nuser = "curator"\npassword = "p"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (FORM, "`page` is missing"),
        (f'{FORM}page = "login"', "`page` is no URL"),
        (f'{FORM}page = "https://elsewhere.example.org/"', "may not be sent"),
        (f'{FORM}page = "http://www.example.org/"', "https only"),
        (f'{FORM}page = "https://www.example.org/"\nsuccess = {{ word = "x" }}', "`word` is not known"),
        (f'{FORM}page = "https://www.example.org/"\nsuccess = "x"', "`success` is no table"),
        ('[h]\nkind = "header"\nhosts = ["a.org"]', "`headers` is missing"),
        ('[h]\nkind = "header"\nhosts = ["a.org"]\nheaders = { Host = "b.org" }', "cannot be used"),
        ('[h]\nkind = "header"\nhosts = ["a.org"]\nheaders = { "X Y" = "b.org" }', "cannot be used"),
        ('[h]\nkind = "header"\nhosts = ["a.org"]\nheaders = { X = "ä" }', "ASCII"),
        ('[h]\nkind = "cookie"\nhosts = ["a.org"]\ncookies = { a = "b; c=d" }', "cookies cannot have"),
    ],
)
def test_each_kind_is_checked(tmp_path, text, told):
    """Before the crawl begins, not in its middle."""
    with pytest.raises(BadCredentials) as caught:
        read(tmp_path, text)
    assert told in str(caught.value)


def test_a_variable_with_a_line_break_is_refused(tmp_path):
    """It would forge headers."""
    text = BASIC.replace(f'password = "{SECRET}"', 'password_variable = "P"')
    with pytest.raises(BadCredentials, match="control character"):
        read(tmp_path, text, {"P": f"{SECRET}\r\nX: y"})


def test_secrets_are_not_shown(tmp_path):
    """Neither by the book nor by its parts."""
    assert SECRET not in repr(read(tmp_path, BASIC))
