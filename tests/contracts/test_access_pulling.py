"""Rules of access that are pulled while readers are served: what is new counts, what stays away closes."""

import threading
from datetime import timedelta

import pytest

from opilio.kernel.access import Default, Rule, Says
from opilio.kernel.access_file import AccessFile, ForgedRules, write_rules
from opilio.kernel.access_keys import checking_key, make_keys, signing_key
from opilio.kernel.clock import SYSTEM, ManualClock
from opilio.kernel.errors import InvalidInput, Missing, Unavailable
from opilio.works import access_pulling
from opilio.works.access_pulling import AccessPulling, RulesCopy, WebSource, source_of
from opilio.works.replay_access import AccessWishes, RuledAccess, pulling, ruled_access
from tests.servers.http_server import HttpServer

URL = "http://example.org/"
QUICK = 0.02  # seconds
PATIENCE = 30.0


class Maker:
    """The machine on which rules are made."""

    def __init__(self, place):
        self.place = place
        place.mkdir()
        self.file, self.key = place / "rules", place.parent / "public.pem"
        make_keys(place.parent / "private.pem", self.key)
        self._private = signing_key(place.parent / "private.pem")

    def write(self, sequence, says=Says.OPEN, made=None):
        rules = [Rule(id="1", says=says)]
        write_rules(
            self.file, rules, self._private, sequence=sequence, made=made or SYSTEM.now(), default=Default.CLOSED
        )


class Waited(AccessPulling):
    """Tells when it has pulled once more."""

    def __init__(self, copy):
        super().__init__(copy, every=QUICK)
        self._times = threading.Semaphore(0)

    def _once(self):
        super()._once()
        self._times.release()

    def twice(self):
        """Wait for a pull that began after the call."""
        for _ in range(2):
            assert self._times.acquire(timeout=PATIENCE)
        while self._times.acquire(blocking=False):
            pass


@pytest.fixture
def maker(tmp_path):
    return Maker(tmp_path / "maker")


@pytest.fixture(params=["file", "web"])
def source(request, maker):
    """The rules as a file, and as a web server offers it."""
    if request.param == "file":
        yield maker.file
        return
    with HttpServer(site=maker.place) as server:
        yield source_of(server.url("/rules"))


@pytest.fixture
def copy(source, maker, tmp_path):
    return RulesCopy(source, tmp_path / "local", checking_key(maker.key))


def access(copy, **more):
    return RuledAccess(AccessFile(copy.local, copy.key, check_every=0.0, **more))


def allowed(ruled):
    return ruled(URL, SYSTEM.now()).allowed


def test_what_is_new_counts_at_the_next_pull(maker, copy):
    """In either direction, without a restart."""
    maker.write(1)
    copy.pull()
    ruled = access(copy)
    assert allowed(ruled)
    with Waited(copy) as puller:
        maker.write(2, Says.TAKEN_BLOCK)
        puller.twice()
        assert not allowed(ruled)
        maker.write(3)
        puller.twice()
        assert allowed(ruled)


def test_rules_that_stay_away_close_everything(maker, copy):
    """The copy counts for as long as it is fresh, whatever became of its source; it opens again with the next rules."""
    maker.write(1)
    copy.pull()
    clock = ManualClock(at=SYSTEM.now())
    file = AccessFile(copy.local, copy.key, clock=clock, check_every=0.0, fresh_for=timedelta(seconds=30))
    ruled = RuledAccess(file, clock=clock)
    maker.file.unlink()
    with Waited(copy) as puller:
        puller.twice()
        assert ruled(URL, clock.now()).allowed
        clock.advance(31)
        assert not ruled(URL, clock.now()).allowed
        assert "too old to be relied on" in ruled.shut
        maker.write(2, made=clock.now())
        for _ in range(20):  # a pull that began before the rules were written brings the old ones
            puller.twice()
            if ruled(URL, clock.now()).allowed:
                break
        assert ruled(URL, clock.now()).allowed


def test_forged_and_older_rules_are_not_taken(maker, copy, caplog):
    """What is here stays, and the trouble is told once."""
    maker.write(5, Says.TAKEN_BLOCK)
    copy.pull()
    ruled = access(copy)
    with Waited(copy) as puller:
        maker.file.write_bytes(maker.file.read_bytes().replace(b"takedown-block", b"open"))
        puller.twice()
        puller.twice()
        assert not allowed(ruled)
        maker.write(4)
        puller.twice()
        assert not allowed(ruled)
    told = [record for record in caplog.records if "access_rules_not_pulled" in record.getMessage()]
    assert len(told) == 2


def test_the_thread_ends_with_the_block(maker, copy):
    """Nothing is pulled after it."""
    maker.write(1)
    with Waited(copy) as puller:
        puller.twice()
    maker.write(2)
    assert not any(thread.name == "access-pulling" for thread in threading.enumerate())
    assert copy.pull().changed


@pytest.mark.parametrize(
    "text", ["http://", "https:///rules", "http://user:hush@host/rules", "http://[::1/rules", "http://host:seven/rules"]
)
def test_an_address_that_is_none_is_refused(text):
    """Nor one with a password, which messages would show."""
    with pytest.raises(InvalidInput) as refused:
        source_of(text)
    assert "hush" not in str(refused.value)


def test_a_server_that_has_none_is_told(tmp_path):
    """By its status, or by not answering."""
    (tmp_path / "site").mkdir()
    with HttpServer(site=tmp_path / "site") as server:
        with pytest.raises(Unavailable, match="status 404"):
            list(WebSource(server.url("/rules"))())
        address = server.url("/rules")
    with pytest.raises(Unavailable, match="cannot be had"):
        list(WebSource(address)())


def test_a_slow_server_is_left(tmp_path):
    """However slowly it goes on."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "rules").write_bytes(b"x" * 100)
    with HttpServer(site=tmp_path / "site") as server, pytest.raises(Unavailable, match="too slow"):
        list(WebSource(server.url("/rules"), longest=-1.0)())


def test_replay_begins_with_rules_from_their_source(maker, tmp_path):
    """With the copy of the last time when the source is gone; without one it does not begin."""
    wishes = AccessWishes(access=tmp_path / "local", access_key=maker.key, source=str(maker.file))
    with pytest.raises(Missing):
        ruled_access(wishes)
    maker.write(1)
    assert allowed(ruled_access(wishes))
    maker.file.unlink()
    assert allowed(ruled_access(wishes))
    (tmp_path / "local").write_bytes(b"nonsense")
    with pytest.raises(ForgedRules):
        ruled_access(wishes)


def test_replay_pulls_all_along(maker, tmp_path, monkeypatch):
    """For as long as it serves, when a source is named."""
    monkeypatch.setattr(access_pulling.AccessPulling.__init__, "__kwdefaults__", {"every": QUICK})
    maker.write(1)
    wishes = AccessWishes(access=tmp_path / "local", access_key=maker.key, source=str(maker.file))
    ruled_access(wishes)
    with pulling(wishes):
        maker.write(2)
        waited = threading.Event()
        for _ in range(int(PATIENCE / QUICK)):
            if (tmp_path / "local").read_bytes() == maker.file.read_bytes():
                break
            waited.wait(QUICK)
        assert (tmp_path / "local").read_bytes() == maker.file.read_bytes()
    with pulling(AccessWishes()) as nothing:
        assert nothing is None


def test_a_source_needs_a_place_for_the_copy(maker):
    """And the key that belongs to it."""
    with pytest.raises(InvalidInput, match="need a place"):
        ruled_access(AccessWishes(source=str(maker.file)))
