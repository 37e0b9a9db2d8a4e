"""Single sign-on against a small provider: who is let in, and every way in which it can go wrong."""

import json
import socket
import subprocess
import sys
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from opilio.kernel.clock import SYSTEM, ManualClock
from opilio.kernel.errors import BadSetting, Unavailable
from opilio.kernel.settings import Settings
from opilio.people.errors import SignInRefused
from opilio.people.oidc import LIFETIME, OidcClient, provider_from
from tests.servers.oidc import CLIENT_ID, CLIENT_SECRET, provider

RETURN = "http://testserver/sign-in/oidc/return"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with provider(tmp_path_factory.mktemp("oidc")) as running:
        yield running.address["url"]


@pytest.fixture
def client(server):
    """Makes clients of the provider in a mood."""

    def make(mood="good", username="curator", **changes):
        settings = Settings(
            oidc_issuer=f"{server}/{mood}/{username}", oidc_client_id=CLIENT_ID, oidc_client_secret=CLIENT_SECRET
        )
        found = provider_from(replace(settings, **changes))
        return OidcClient(found, clock=ManualClock(at=SYSTEM.now()), timeout=2.0)

    return make


def visit(url):
    """What the provider sends back with the browser."""
    answer = httpx.get(url)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(RETURN)
    return dict(parse_qsl(urlsplit(answer.headers["Location"]).query))


def sign_in(client):
    url, flight = client.begin(RETURN)
    return client.finish(flight, visit(url), RETURN)


@pytest.mark.parametrize("mood", ["good", "curve", "junk-keys", "post-secret"])
def test_the_provider_vouches_for_a_user(client, mood):
    """The name comes from a signed token, whatever the kind of key or the way to send the secret."""
    assert sign_in(client(mood)) == "curator"


def test_a_client_without_a_secret_proves_itself_by_the_code_alone(client):
    """A public client sends its name and the verifier."""
    assert sign_in(client("public", oidc_client_secret="")) == "curator"


def test_the_name_comes_from_the_claim_that_the_settings_choose(client):
    """Another claim gives another name."""
    assert sign_in(client(oidc_username_claim="sub")) == "248289761001"


def test_each_flight_is_its_own(client):
    """State, nonce and verifier are fresh, and none of the secrets travels in the first address."""
    mine = client()
    (first, one), (second, other) = mine.begin(RETURN), mine.begin(RETURN)
    assert len({one.state, one.nonce, one.verifier, other.state, other.nonce, other.verifier}) == 6
    assert one.verifier not in first
    assert "s3cret" not in second
    asked = dict(parse_qsl(urlsplit(first).query))
    assert asked["code_challenge_method"] == "S256"
    assert asked["scope"].split()[0] == "openid"


REFUSALS = {
    "error": "The user said no",
    "wrong-state": "does not belong to the sign-in",
    "mixed-up": "another provider",
    "no-code": "no code",
    "stingy": "invalid_grant",
    "no-token": "no ID token",
    "no-jwt": "not signed by the provider",
    "alg-none": "not signed by the provider",
    "hmac": "not signed by the provider",
    "bad-signature": "not signed by the provider",
    "unknown-key": "not signed by the provider",
    "no-keys": "not signed by the provider",
    "expired": "expired",
    "from-tomorrow": "claim iat",
    "no-end": "claim exp",
    "wrong-issuer": "claim iss",
    "wrong-audience": "claim aud",
    "two-audiences": "claim azp",
    "wrong-party": "claim azp",
    "wrong-nonce": "claim nonce",
    "no-nonce": "claim nonce",
    "nonce-list": "claim nonce",
    "half-nonce": "claim nonce",
    "no-name": "no user name in the claim preferred_username",
    "odd-name": "no user name in the claim preferred_username",
    "half-name": "no user name in the claim preferred_username",
    "long-name": "no user name in the claim preferred_username",
}


@pytest.mark.parametrize("mood", REFUSALS)
def test_a_fault_of_the_token_or_answer_lets_nobody_in(client, mood):
    """Each is refused with words that name the fault, the provider and what to do."""
    with pytest.raises(SignInRefused) as caught:
        sign_in(client(mood))
    assert REFUSALS[mood] in caught.value.what
    assert f"/{mood}/" in caught.value.where
    assert caught.value.remedy


@pytest.mark.parametrize(
    "mood", ["ill", "other-issuer", "plain-endpoint", "no-endpoint", "no-json", "list", "bytes", "empty", "deep",
             "endless", "slow", "broken-token"],
)  # fmt: skip
def test_a_provider_that_cannot_be_used_is_unavailable(client, mood):
    """Broken, silent or endless answers end in words, within the time allowed."""
    mine = client(mood)
    mine = OidcClient(mine._provider, timeout=0.3 if mood == "slow" else 5.0)
    with pytest.raises(Unavailable) as caught:
        sign_in(mine)
    assert "Single sign-on is not available" in caught.value.what


def test_a_provider_that_is_down_is_unavailable(client):
    """Nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        with pytest.raises(Unavailable):
            client(oidc_issuer=f"http://127.0.0.1:{probe.getsockname()[1]}/good/curator").begin(RETURN)


def test_a_wrong_secret_is_refused(client):
    """The provider does not know the installation; the secret is not repeated."""
    with pytest.raises(SignInRefused) as caught:
        sign_in(client(oidc_client_secret="guessed-secret"))
    assert "invalid_client" in caught.value.what
    assert "guessed-secret" not in str(caught.value)


def test_a_code_is_good_once(client):
    """The same answer brought back twice is refused the second time."""
    mine = client()
    url, flight = mine.begin(RETURN)
    answer = visit(url)
    assert mine.finish(flight, answer, RETURN) == "curator"
    with pytest.raises(SignInRefused):
        mine.finish(flight, answer, RETURN)


def test_somebody_elses_answer_is_refused(client):
    """A code that another browser obtained fits neither the state nor, with the state copied, verifier and nonce."""
    mine = client()
    _, flight = mine.begin(RETURN)
    stolen = visit(mine.begin(RETURN)[0])
    for answer in (stolen, stolen | {"state": flight.state}):
        with pytest.raises(SignInRefused):
            mine.finish(flight, answer, RETURN)


def test_a_flight_does_not_last(client):
    """Whoever comes back much later begins anew."""
    mine = client()
    url, flight = mine.begin(RETURN)
    with pytest.raises(SignInRefused) as caught:
        mine.finish(replace(flight, began=flight.began - LIFETIME - 1), visit(url), RETURN)
    assert "too long" in caught.value.what


def test_without_an_issuer_there_is_no_provider():
    """An empty oidc_issuer means that single sign-on is not used."""
    assert provider_from(Settings()) is None


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"oidc_issuer": "http://provider.example"}, "oidc_issuer"),
        ({"oidc_issuer": "provider.example"}, "oidc_issuer"),
        ({"oidc_issuer": "https://"}, "oidc_issuer"),
        ({"oidc_issuer": "https://[::1"}, "oidc_issuer"),
        ({"oidc_issuer": "https://provider.example/?a=b"}, "oidc_issuer"),
        ({"oidc_client_id": ""}, "oidc_client_id"),
        ({"oidc_username_claim": ""}, "oidc_username_claim"),
    ],
)
def test_settings_that_cannot_work_are_named(changes, where):
    """The error names the setting and says what to write."""
    good = Settings(oidc_issuer="https://provider.example", oidc_client_id="opilio")
    assert provider_from(good) is not None
    with pytest.raises(BadSetting) as caught:
        provider_from(replace(good, **changes))
    assert caught.value.where == where
    assert caught.value.remedy


@pytest.mark.parametrize("library", ["httpx", "joserfc"])
def test_without_the_libraries_the_remedy_is_named(library):
    """The module can be imported without them; using it then says what to install."""
    code = f"""
import json, sys
import django; django.setup()
sys.modules[{library!r}] = None  # as if it were not installed
from opilio.kernel.errors import BadSetting
from opilio.kernel.settings import Settings
from opilio.people.oidc import provider_from
assert provider_from(Settings()) is None
try:
    provider_from(Settings(oidc_issuer="https://provider.example", oidc_client_id="opilio"))
except BadSetting as error:
    print(json.dumps(str(error)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "pip install 'opilio[oidc]'" in json.loads(done.stdout)
