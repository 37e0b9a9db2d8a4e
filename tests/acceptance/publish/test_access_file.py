"""The signed file of rules: compiled at a change, signed again in time, fetched by nodes with their token."""

import datetime
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.test import Client, RequestFactory

from opilio.agents.access_file import AccessKeeping
from opilio.curation.access_compile import rules
from opilio.curation.access_writing import SIGN_AGAIN_AFTER, write_access_file
from opilio.curation.actions.reading_rooms import create_room
from opilio.curation.models import Permission, Target
from opilio.kernel.access import OPEN_TO_ALL, PUBLIC, decide
from opilio.kernel.access_file import FRESH_FOR, AccessFile, ForgedRules, pull, read_rules
from opilio.kernel.access_keys import checking_key, make_keys
from opilio.kernel.clock import SYSTEM, ManualClock
from opilio.kernel.errors import Unavailable
from opilio.people import seals
from opilio.people.actions.agencies import create_agency
from opilio.web.views.access_rules import rules_file
from opilio.works.access_home import HomeRules, access_place
from opilio.works.access_pulling import WebSource
from opilio.works.node_token import TOKEN_FILE, make_token, read_token
from opilio.works.search_setup import rules_of

pytestmark = pytest.mark.only_on("sqlite")
START = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)


class Turn:
    """A turn of the chore."""

    def __init__(self, shelf, clock):
        self.settings, self.clock = shelf.settings.OPILIO, clock


@pytest.fixture
def clock():
    return ManualClock(at=START)


@pytest.fixture
def keeping(shelf, clock):
    """The chore, taking turns; gives the number of the file after each."""
    keeping, place = AccessKeeping(), access_place(shelf.settings.OPILIO)

    def turn():
        seals.seal(clock.now())
        keeping(Turn(shelf, clock))
        return read_rules(place.rules, checking_key(place.public_key)).sequence if place.rules.exists() else 0

    return turn


def test_nothing_is_ruled_before_there_is_something(shelf, keeping):
    """Without an endorsed harvest, a takedown or a room, there is no file, and what operators published is open."""
    assert keeping() == 0
    assert rules_of(shelf.settings.OPILIO)(SYSTEM.now()) is OPEN_TO_ALL
    shelf.endorsed()
    assert keeping() > 0


def test_a_change_is_compiled_anew(shelf, keeping, clock):
    """What is written down in the audit log leads to another file; where nothing happened, the file stays."""
    shelf.endorsed()
    first = keeping()
    clock.advance(seconds=10)
    assert keeping() == first
    create_room(shelf.town.system, agency_id=shelf.town.library.id, name="Hall", networks="192.0.2.0/24")
    second = keeping()
    assert second > first
    clock.advance(seconds=10)
    create_agency(shelf.town.system, name="Archive")
    keeping()
    clock.advance(seconds=SIGN_AGAIN_AFTER.total_seconds() + 1)
    assert keeping() > second


def test_the_file_never_grows_old(shelf, keeping, clock):
    """It is signed again long before readers would take it for stale."""
    shelf.endorsed()
    place = access_place(shelf.settings.OPILIO)
    for _ in range(4):
        keeping()
        held = read_rules(place.rules, checking_key(place.public_key))
        assert held.stale(clock.now()) == ""
        clock.advance(seconds=SIGN_AGAIN_AFTER.total_seconds() + 1)
        assert SIGN_AGAIN_AFTER < FRESH_FOR / 2


def test_numbers_grow_although_the_file_was_lost(shelf):
    """A file that is written after another was removed has a greater number, so that nodes take it."""
    shelf.endorsed()
    options, place = shelf.settings.OPILIO, access_place(shelf.settings.OPILIO)
    first = write_access_file(options, SYSTEM.now())
    place.rules.unlink()
    assert write_access_file(options, SYSTEM.now()).sequence > first.sequence


def test_lost_rules_close_everything(shelf):
    """Once there were rules, a home without them shows nothing, and says why; so does one with another key."""
    shelf.endorsed()
    options, place = shelf.settings.OPILIO, access_place(shelf.settings.OPILIO)
    write_access_file(options, SYSTEM.now())
    assert HomeRules(place)(SYSTEM.now()).shut == ""
    shutil.copy(place.rules, place.rules.with_suffix(".kept"))
    place.rules.unlink()
    assert HomeRules(place)(SYSTEM.now()).shut
    place.rules.with_suffix(".kept").rename(place.rules)
    place.public_key.unlink()
    make_keys(shelf.home / "other", place.public_key)
    assert "signature" in HomeRules(place)(SYSTEM.now()).shut
    place.public_key.write_text("no key")
    assert HomeRules(place)(SYSTEM.now()).shut


def test_a_permission_that_makes_no_rule_hides(shelf, monkeypatch):
    """One row that cannot be told as a rule closes what relies on it, and nothing else."""
    whole, broken = shelf.endorsed(), shelf.endorsed()
    bad = broken.abstract_target.target.seeds.get().links.get().permission
    Permission.objects.filter(pk=bad.pk).update(copyright_statement="bell \x07 rings")
    write_access_file(shelf.settings.OPILIO, SYSTEM.now())
    rules = rules_of(shelf.settings.OPILIO)(SYSTEM.now())

    def allowed(harvest):
        return decide(
            rules, url="http://www.site.example/", captured=START, now=SYSTEM.now(), reader=PUBLIC,
            agency=str(harvest.agency_id), target=str(harvest.abstract_target_id), harvest=str(harvest.pk),
        ).allowed  # fmt: skip

    assert (allowed(whole), allowed(broken)) == (True, False)


def test_nodes_fetch_the_file_with_their_token(shelf):
    """Without the token, with a wrong one, and before a token was made, nobody gets it."""
    place, secrets = access_place(shelf.settings.OPILIO), shelf.settings.OPILIO.secrets_folder
    client, path = Client(), "/access/rules.jsonl"
    assert client.get(path).status_code == 401
    make_token(secrets / TOKEN_FILE)
    token = read_token(secrets / TOKEN_FILE)
    assert client.get(path, headers={"Authorization": f"Bearer {token}"}).status_code == 404
    shelf.endorsed()
    write_access_file(shelf.settings.OPILIO, SYSTEM.now())
    for wrong in ("", "Bearer ", "Bearer x", f"Basic {token}", f"Bearer {token}é", f"Bearer {token} "):
        assert client.get(path, headers={"Authorization": wrong}).status_code == 401, wrong
    answer = client.get(path, headers={"Authorization": f"Bearer {token}"})
    assert answer.content == place.rules.read_bytes()
    assert client.post(path).status_code in (403, 405)


class Front(BaseHTTPRequestHandler):
    """The view behind a real connection."""

    def do_GET(self):
        told = {"Authorization": self.headers.get("Authorization", "")}
        answer = rules_file(RequestFactory().get(self.path, headers=told))
        self.send_response(answer.status_code)
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_):
        pass


@pytest.fixture
def front():
    """The address of the pages."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Front) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_node_pulls_from_the_pages(shelf, front, tmp_path):
    """A node with token and key takes newer rules over the network, and refuses those of another maker."""
    options = shelf.settings.OPILIO
    make_token(options.secrets_folder / TOKEN_FILE)
    shelf.endorsed()
    write_access_file(options, SYSTEM.now())
    key = checking_key(access_place(options).public_key)
    source = WebSource(f"{front}/access/rules.jsonl", token=read_token(options.secrets_folder / TOKEN_FILE))
    local = tmp_path / "copy.jsonl"
    with pytest.raises(Unavailable, match="401"):
        pull(WebSource(f"{front}/access/rules.jsonl"), local, key)
    assert pull(source, local, key).changed
    assert not pull(source, local, key).changed
    Target.objects.update(display=False)
    write_access_file(options, SYSTEM.now())
    assert pull(source, local, key).changed
    assert AccessFile(local, key).rules().shut == ""
    make_keys(tmp_path / "private.pem", tmp_path / "public.pem")
    with pytest.raises(ForgedRules):
        pull(source, tmp_path / "second.jsonl", checking_key(tmp_path / "public.pem"))


def test_the_token_does_not_leave_in_the_clear():
    """It is sent over TLS or to this machine only."""
    assert "Authorization" not in WebSource("http://front.example/rules", token="t" * 40)._headers
    assert "Authorization" in WebSource("https://front.example/rules", token="t" * 40)._headers
    assert "Authorization" in WebSource("http://127.0.0.1:9/rules", token="t" * 40)._headers


def test_questions_do_not_grow_with_the_catalogue(shelf, django_assert_max_num_queries):
    """Compiling asks the database as often for many targets as for few."""
    for _ in range(12):
        shelf.target()
    with django_assert_max_num_queries(20):
        assert len(list(rules())) >= 12
