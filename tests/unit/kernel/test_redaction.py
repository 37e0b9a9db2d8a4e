"""Secrets do not get out by name, in URLs, in headers, in text, at any depth."""

import dataclasses
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.kernel.redaction import DEEPEST, HIDDEN, LONGEST_TEXT, MOST_ITEMS, is_secret, plain, text, without_secrets

SECRET = "hunter2-s3cr3t"
NAMES = [
    "password", "Password2", "passwd", "db_password", "userPassword", "passphrase", "token", "access_token",
    "accessToken", "API-Token", "secret", "client_secret", "authorization", "Proxy-Authorization", "cookie",
    "Set-Cookie", "key", "api_key", "apikey", "X-API-Key", "signing_key", "credential", "credentials", "sessionid",
    "session_key", "PHPSESSID", "csrfmiddlewaretoken", "pwd", "auth", "X-Amz-Signature", "user[password]", "otp",
]  # fmt: skip
HARMLESS = [
    "url",
    "host_key",
    "dedup_key",
    "keyword",
    "monkey",
    "author",
    "authorisation",
    "status",
    "event",
    "bytes",
    "passed",
    "signed",
    "",
]
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.binary(max_size=10)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4), st.tuples(inner, inner)
    ),
    max_leaves=15,
)


@dataclasses.dataclass(frozen=True)
class Login:
    user: str
    password: str
    unseen: str = dataclasses.field(default="x", repr=False)


@pytest.mark.parametrize("name", NAMES)
def test_secret_names(name):
    """A value under such a name is hidden, in mappings and in pairs."""
    assert is_secret(name)
    assert plain({name: SECRET}) == {name: HIDDEN}
    assert plain([(name, SECRET)]) == [[name, HIDDEN]]
    assert plain([(name.encode(), SECRET.encode())]) == [[name, HIDDEN]]


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_names(name):
    """Names that only resemble secrets keep their value."""
    assert not is_secret(name)
    assert plain({name: "shown"}) == {name: "shown"}


def test_whether_a_secret_is_set_may_be_told():
    """Nothing, yes and no are no secrets."""
    assert plain({"password": None, "token": True}) == {"password": None, "token": True}
    assert plain({"pin": 1234, "password": [SECRET]}) == {"pin": HIDDEN, "password": HIDDEN}


def test_dataclasses_are_read_field_by_field():
    """A value object shows its fields, but neither secrets nor what its own representation hides."""
    assert plain(Login(user="curator", password=SECRET)) == {"user": "curator", "password": HIDDEN}


@pytest.mark.parametrize(
    "line",
    [
        f"http://curator:{SECRET}@example.com/",
        f"postgresql://opilio:{SECRET}@db/opilio",
        f"http://curator:p@{SECRET}@example.com/",
        f"see (https://curator:{SECRET}@example.com/a) for more",
        f"http://example.com/?token={SECRET}",
        f"http://example.com/?a=1&to%6ben={SECRET}&b=2",
        f"http://example.com/a;jsessionid={SECRET}?b=2",
        f"http://example.com/#access_token={SECRET}",
        f"http://example.com/?X-Amz-Signature={SECRET}",
        f"Authorization: Basic {SECRET}",
        f"{{'Cookie': 'a=b; session={SECRET}'}}",
        f"Set-Cookie: sid={SECRET}; Path=/",
        f"sent Bearer {SECRET}",
        f"password={SECRET}",
        f"Login(user='curator', password='{SECRET}')",
        f'{{"client_secret": "{SECRET}"}}',
        f"api_key = {SECRET}, next",
    ],
)
def test_secrets_inside_text(line):
    """URLs, headers and assignments inside a text lose their secret."""
    assert SECRET not in without_secrets(line)
    assert HIDDEN in without_secrets(line)


@pytest.mark.parametrize(
    "line",
    [
        "http://example.com/?page=2&sort=name",
        "mail curator@example.com",
        "a: b, c=d",
        "time 12:30",
        "http://example.com/@user/x",
    ],
)
def test_ordinary_text_stays(line):
    """Text without secrets is not touched."""
    assert text(line) == line


def test_the_rest_of_a_url_stays_readable():
    """Only the secret part is replaced."""
    found = without_secrets(f"https://curator:{SECRET}@example.com/a?page=2&token={SECRET}&sort=name")
    assert found == f"https://{HIDDEN}@example.com/a?page=2&token={HIDDEN}&sort=name"


def test_control_characters_become_visible():
    """No value can begin a new line, move the cursor or turn the text around."""
    assert text("a\r\nb\x1b[2J\u202e\x85\ud800") == "a\\u000d\\u000ab\\u001b[2J\\u202e\\u0085\\ud800"


def test_sizes_are_bounded():
    """Long texts, long lists, deep nests and huge numbers are cut, and it shows."""
    deep = value = []
    for _ in range(50):
        value.append([])
        value = value[0]
    assert len(text("x" * 10**6)) < LONGEST_TEXT + 30
    assert text("x" * 10**6).endswith("more)")
    assert plain(list(range(10**4))) == [*range(MOST_ITEMS), "…"]
    assert len(plain({str(number): 1 for number in range(10**4)})) == MOST_ITEMS + 1
    assert str(plain(deep)).count("[") == DEEPEST
    assert plain(10**5000) == "a huge number"
    assert len(plain(b"x" * 10**6)) < LONGEST_TEXT + 30


def test_a_secret_at_the_cut_does_not_show():
    """A password that lies across the place of the cut is hidden first."""
    padding = "x" * (LONGEST_TEXT - 30)
    assert "hunter2" not in text(f"{padding} http://curator:{SECRET * 10}@example.com/")


@pytest.mark.parametrize(
    "hostile",
    ["a." * 4000, "token" * 1600, "://" * 2700, "?a" * 4000, "token=" * 1400, "authorization:" * 600, "basic " * 1400],
)
def test_hostile_text_is_read_quickly(hostile):
    """Patterns stay linear enough that a long hostile value is answered well inside the test's time limit."""
    assert len(text(hostile)) < LONGEST_TEXT + 60


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_numbers_that_json_lacks(number):
    """Infinities become text."""
    assert isinstance(plain(number), str)


@given(JSON)
def test_everything_becomes_json_on_one_line(value):
    """Any value can be written as one line of strict JSON."""
    line = json.dumps(plain(value), allow_nan=False, ensure_ascii=False)
    assert "\n" not in line
    line.encode()


@given(
    st.sampled_from(NAMES), st.integers(min_value=0, max_value=DEEPEST + 2), st.sampled_from(["list", "dict", "pair"])
)
def test_secrets_at_any_depth(name, depth, kind):
    """However deep it lies, a named secret is never written."""
    value = {name: SECRET}
    for _ in range(depth):
        value = {"list": [value], "dict": {"inner": value}, "pair": ("inner", value)}[kind]
    assert SECRET not in json.dumps(plain(value))


@given(
    st.text(
        alphabet=st.characters(exclude_characters="/?#\"'<>", exclude_categories=["Z", "C"]), min_size=4, max_size=20
    )
)
def test_passwords_in_urls_never_show(password):
    """Whatever the password, a URL shows none of it."""
    marked = f"<{password}>".replace("<", "S3").replace(">", "E4")
    assert marked not in without_secrets(f"ftp://partner:{marked}@files.example/in")
