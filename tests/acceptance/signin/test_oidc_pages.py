"""Single sign-on through the pages, against a small provider."""

from dataclasses import replace
from urllib.parse import urlsplit

import httpx
import pytest

from opilio.people.actions.users import deactivate_user
from opilio.people.models import AuditEntry, SignInSession, User
from tests.people import Town
from tests.servers.oidc import CLIENT_ID, CLIENT_SECRET, provider


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with provider(tmp_path_factory.mktemp("oidc")) as running:
        yield running.address["url"]


@pytest.fixture
def town(db):
    return Town()


@pytest.fixture
def use(server, settings):
    """Makes the installation a client of the provider in a mood."""

    def choose(mood="good", username="curator", **changes):
        settings.OPILIO = replace(
            settings.OPILIO, oidc_issuer=f"{server}/{mood}/{username}", oidc_client_id=CLIENT_ID,
            oidc_client_secret=CLIENT_SECRET, oidc_label="Sign in at the university", **changes,
        )  # fmt: skip

    return choose


def leave(client, path="/sign-in/oidc"):
    """Begin, and be sent back by the provider: the address on our side that the browser opens next."""
    away = client.get(path)
    assert away.status_code == 302, away.content
    back = urlsplit(httpx.get(away["Location"]).headers["Location"])
    assert (back.netloc, back.path) == ("testserver", "/sign-in/oidc/return")
    return f"{back.path}?{back.query}"


def words(client, response):
    """What the sign-in page says after a failure."""
    assert (response.status_code, response["Location"]) == (302, "/sign-in")
    return client.get("/sign-in").content.decode()


def test_the_sign_in_page_offers_it_where_it_is_configured(client, town, use):
    """The button carries the operator's words, and appears only then."""
    assert "/sign-in/oidc" not in client.get("/sign-in").content.decode()
    use()
    page = client.get("/sign-in?next=/account").content.decode()
    assert "Sign in at the university" in page
    assert "/sign-in/oidc?next=%2Faccount" in page


def test_whom_the_provider_vouches_for_is_signed_in(client, town, use):
    """The browser comes to the page that was wanted, with a fresh session that is listed like any other."""
    user = town.user("curator", external_auth=True)
    use()
    back = leave(client, "/sign-in/oidc?next=/account")
    before = client.session.session_key
    done = client.get(back, headers={"User-Agent": "Browser/1"})
    assert (done.status_code, done["Location"]) == (302, "/account")
    assert client.session.session_key != before
    row = SignInSession.objects.get()
    assert (row.user_id, row.method, row.user_agent) == (user.id, "oidc", "Browser/1")
    assert client.get("/account").status_code == 200
    assert AuditEntry.objects.get(action="signin.success").message == "By oidc."


@pytest.mark.parametrize("wanted", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example"])
def test_nobody_is_sent_to_another_host(client, town, use, wanted):
    """Whatever the first address said."""
    town.user("curator", external_auth=True)
    use()
    back = leave(client, f"/sign-in/oidc?next={wanted}")
    assert client.get(back)["Location"] == "/"


def test_nobody_is_made_on_the_fly(client, town, use):
    """An unknown name, one with a password here, or a deactivated one is refused, in words and in the audit log."""
    town.user("curator")
    gone = town.user("archivist", external_auth=True)
    deactivate_user(town.system, user_id=gone.id)
    count = User.everything.count()
    for username, said in (("nobody", "no account here"), ("curator", "no account here"), ("archivist", "deactivated")):
        use(username=username)
        assert said in words(client, client.get(leave(client)))
    assert User.everything.count() == count
    assert not SignInSession.objects.exists()
    assert AuditEntry.objects.filter(action="signin.refuse").count() == 3


@pytest.mark.parametrize(
    ("mood", "said"),
    [
        ("error", "The user said no"), ("wrong-nonce", "claim nonce"), ("wrong-audience", "claim aud"),
        ("expired", "expired"), ("bad-signature", "not signed by the provider"),
        ("alg-none", "not signed by the provider"), ("wrong-state", "does not belong"),
        ("broken-token", "is not available"),
    ],
)  # fmt: skip
def test_each_fault_is_told_and_audited(client, town, use, mood, said):
    """The page names it, nobody is signed in, and the audit log keeps it with the address."""
    town.user("curator", external_auth=True)
    use(mood)
    assert said in words(client, client.get(leave(client)))
    entry = AuditEntry.objects.get(action="signin.refuse")
    assert said in entry.message
    assert entry.address == "127.0.0.1"
    assert not SignInSession.objects.exists()
    assert client.get("/account").status_code == 302


def test_a_provider_that_is_ill_leaves_the_password_form(client, town, use):
    """The sign-in page says so, and can still be used."""
    use("ill")
    page = words(client, client.get("/sign-in/oidc"))
    assert "Single sign-on is not available" in page
    assert 'name="password"' in page


def test_an_answer_counts_once_and_only_in_its_browser(client, town, use):
    """Repeated, or opened elsewhere, the address lets nobody in; what was never begun is not audited."""
    town.user("curator", external_auth=True)
    use()
    back = leave(client)
    stranger = type(client)()
    assert "No single sign-on was begun" in words(stranger, stranger.get(back))
    assert client.get(back)["Location"] == "/"
    stranger = type(client)()
    assert "No single sign-on was begun" in words(stranger, stranger.get(back))
    assert SignInSession.objects.count() == 1
    assert not AuditEntry.objects.filter(action="signin.refuse").exists()


def test_the_public_address_is_the_one_that_is_registered(client, town, use):
    """Behind a proxy the provider is told the address that people use."""
    use(server_public_url="https://opilio.archive.example/")
    away = client.get("/sign-in/oidc")["Location"]
    assert "redirect_uri=https%3A%2F%2Fopilio.archive.example%2Fsign-in%2Foidc%2Freturn" in away


def test_without_a_provider_the_pages_are_not_there(client, town):
    """The address answers as any unknown one."""
    assert client.get("/sign-in/oidc").status_code == 404


@pytest.mark.parametrize("path", ["/sign-in/oidc", "/sign-in/oidc/return"])
def test_only_get_is_answered(client, town, use, path):
    """Forms have no business there."""
    use()
    assert client.post(path).status_code == 405
