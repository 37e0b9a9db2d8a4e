"""The signed file of rules: written, read, pulled, and distrusted when it should be."""

import json
import stat
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.kernel import access_file
from opilio.kernel.access import PUBLIC, BadRule, Default, Reach, Rule, Rules, Says, Seat, Statement, Where, decide
from opilio.kernel.access_file import (
    AccessFile,
    ForgedRules,
    NewerRules,
    NotAccessRules,
    OlderRules,
    parse_rules,
    pull,
    read_rules,
    write_rules,
)
from opilio.kernel.access_json import rule_from_json, rule_to_json
from opilio.kernel.access_keys import BadKey, checking_key, make_keys, signing_key
from opilio.kernel.access_seats import Seats
from opilio.kernel.clock import ManualClock
from opilio.kernel.errors import Missing, OpilioError

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC_KEY = KEY.public_key()
NOW = datetime(2026, 6, 1, tzinfo=UTC)
URL = "https://example.org/page"
FULL = Rule(
    id="p1", says=Says.PERSONS, where=Where(reach=Reach.PATTERN, value="x", within="example.org"), agency="a",
    target="t", harvest="h", captured_from=NOW - timedelta(9), captured_to=NOW, starts=NOW - timedelta(5),
    ends=NOW + timedelta(5), users=frozenset({"1", "2"}), roles=frozenset({"r"}), agencies=frozenset({"b"}),
    overrides=True, reason="Grüße", statement=Statement(text="©", link="https://e.org/", requirements="none"),
)  # fmt: skip
ROOMS = Rule(id="r", says=Says.ROOMS, rooms=frozenset({"main"}))


def write(path, *rules, sequence=1, made=NOW, key=KEY, **more):
    write_rules(path, rules, key, sequence=sequence, made=made, **more)
    return path


def signed(lines, key=KEY):
    """A file with a good signature, whatever it says."""
    body = b"".join(json.dumps(line).encode() + b"\n" if not isinstance(line, bytes) else line for line in lines)
    digest = access_file.hashlib.sha512(body).digest()
    mark = access_file.base64.b64encode(key.sign(access_file._CONTEXT + digest)).decode()
    return body + json.dumps({"ed25519": mark}).encode() + b"\n"


HEAD = {
    "file": "opilio-access-rules", "form": 1, "sequence": 1, "made": "2026-06-01T00:00:00Z", "default": "closed",
    "rooms": {}, "rules": 0,
}  # fmt: skip


def allowed(rules, now=NOW):
    return decide(rules, url=URL, captured=NOW, agency="", reader=PUBLIC, now=now).allowed


def test_round_trip(tmp_path):
    """What was written is read again: rules, rooms, default, number and time."""
    rules = [FULL, ROOMS, Rule(id="e", says=Says.EMBARGO, days=0), Rule(id="s", says=Says.SEATS, seats=3)]
    path = write(tmp_path / "rules", *rules, rooms={"main": ["192.0.2.0/24"]}, default=Default.OPEN, sequence=7)
    found = read_rules(path, PUBLIC_KEY)
    assert (found.sequence, found.made, found.rules.default) == (7, NOW, Default.OPEN)
    assert {rule.id: rule for rule in found.rules} == {rule.id: rule for rule in rules}
    assert found.rules.rooms_of("192.0.2.9") == {"main"}


@settings(max_examples=50)
@given(
    st.builds(
        lambda says, days, text, at: Rule(
            id="x",
            says=says,
            days=days if says is Says.EMBARGO else None,
            reason=text,
            captured_from=at,
            seats=1 if says is Says.SEATS else 0,
        ),
        st.sampled_from(list(Says)),
        st.none() | st.integers(0, 1000),
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=50),
        st.none() | st.datetimes(timezones=st.just(UTC)),
    )
)
def test_rule_round_trip(rule):
    """Any rule is the same after JSON."""
    assert rule_from_json(json.loads(json.dumps(rule_to_json(rule)))) == rule


def test_changed_byte(tmp_path):
    """A file in which anything was changed is forged, wherever the change is."""
    data = write(tmp_path / "rules", FULL).read_bytes()
    for place in range(0, len(data) - 1, 7):
        broken = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        with pytest.raises(ForgedRules):
            parse_rules([broken], PUBLIC_KEY, where="x")


def test_other_key(tmp_path):
    """A file that somebody else signed is forged."""
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    with pytest.raises(ForgedRules):
        read_rules(write(tmp_path / "rules", key=other), PUBLIC_KEY)


@pytest.mark.parametrize("data", [b"", b"\n", b"{}", b"\x00" * 100, b"[]\n{}\n", b'{"ed25519": 5}\n', b"x" * 5_000])
def test_garbage(data):
    """Anything else is forged, not an accident."""
    with pytest.raises(ForgedRules):
        parse_rules([data], PUBLIC_KEY, where="x")


@settings(max_examples=50)
@given(st.binary(max_size=300))
def test_any_bytes(data):
    """No bytes make the reader fall over."""
    with pytest.raises(OpilioError):
        parse_rules([data], PUBLIC_KEY, where="x")


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [HEAD | {"file": "other"}],
        [HEAD | {"form": "1"}],
        [HEAD | {"rules": 1}],
        [HEAD | {"rules": -1}],
        [HEAD | {"rules": None}],
        [HEAD | {"rooms": []}],
        [HEAD | {"default": "ajar"}],
        [HEAD | {"more": 1}],
        [[1]],
        [b"not json\n"],
        [b'{"file":"opilio-access-rules","form":NaN}\n'],
        [b"[" * 100_000 + b"\n"],
        [HEAD | {"made": "yesterday"}],
        [HEAD | {"made": 5}],
        [HEAD | {"made": "2026-06-01T00:00:00"}],
        [HEAD | {"sequence": 0}],
        [HEAD | {"sequence": 1.5}],
        [HEAD | {"sequence": True}],
        [HEAD | {"rooms": {"a": ["everywhere"]}}],
        [HEAD, {"id": "1"}],
        [HEAD, {"id": "1", "says": "open", "unknown": 1}],
        [HEAD, {"id": "1", "says": "open", "ends": "soon"}],
        [HEAD, {"id": "1", "says": "open", "ends": "0001-01-01T00:00:00+14:00"}],
        [HEAD, {"id": "1", "says": "restricted-by-person", "users": "abc"}],
        [HEAD, {"id": "1", "says": "open", "where": ["host"]}],
        [HEAD, {"id": "1", "says": "open", "where": {"reach": "host", "value": "e.org", "port": 1}}],
        [HEAD, {"id": "1", "says": "open", "statement": "©"}],
        [HEAD, b'{"id":"1","id":"2","says":"open"}\n'],
        [HEAD, b'{"id":"1","says":"limited-readers","seats":NaN}\n'],
        [HEAD, b'{"id":"\xff","says":"open"}\n'],
        [HEAD | {"rules": 2}, {"id": "1", "says": "open"}, {"id": "1", "says": "open"}],
    ],
    ids=lambda lines: str(lines)[:60],
)
def test_signed_nonsense(lines):
    """Nonsense with a good signature is refused with its place and a remedy."""
    with pytest.raises((NotAccessRules, BadRule)) as caught:
        parse_rules([signed(lines)], PUBLIC_KEY, where="rules")
    assert "rules" in caught.value.where
    assert caught.value.remedy


def test_newer_form():
    """A file of a newer form is not guessed at."""
    with pytest.raises(NewerRules):
        parse_rules([signed([HEAD | {"form": 2, "new": 1}])], PUBLIC_KEY, where="x")


def test_huge_file(monkeypatch):
    """A file that never ends is given up."""
    monkeypatch.setattr(access_file, "MAX_BYTES", 1_000)
    with pytest.raises(NotAccessRules) as caught:
        parse_rules((b"x" * 600 for _ in range(10**9)), PUBLIC_KEY, where="x")
    assert "longer" in caught.value.what


def test_missing(tmp_path):
    """A file that is not there is missing."""
    with pytest.raises(Missing):
        read_rules(tmp_path / "none", PUBLIC_KEY)


def test_writer_refuses(tmp_path):
    """Rules that do not fit together are not written, and the old file stays."""
    path = write(tmp_path / "rules", FULL)
    before = path.read_bytes()
    with pytest.raises(BadRule):
        write(path, FULL, FULL, sequence=2)
    with pytest.raises(BadRule):
        write(path, sequence=0)
    with pytest.raises(BadRule):
        write(path, made=NOW.replace(tzinfo=None))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


class Watched:
    """An AccessFile with a clock that is moved by hand."""

    def __init__(self, path):
        self.clock = ManualClock(at=NOW)
        self.file = AccessFile(path, PUBLIC_KEY, clock=self.clock)

    def after(self, seconds):
        self.clock.advance(seconds)
        return self.file.rules(self.clock.now())


def test_reloads(tmp_path):
    """A new file is in force within ten seconds, and not looked for more often."""
    path = write(tmp_path / "rules", default=Default.OPEN)
    watched = Watched(path)
    assert allowed(watched.after(0))
    write(path, Rule(id="t", says=Says.TAKEN_HIDE), default=Default.OPEN, sequence=2)
    assert allowed(watched.after(9))
    assert not allowed(watched.after(1))


def test_goes_stale(tmp_path):
    """Rules that are too old close everything, and say so; fresh ones open it again."""
    path = write(tmp_path / "rules", default=Default.OPEN)
    watched = Watched(path)
    assert allowed(watched.after(900))
    stale = watched.after(1)
    assert not allowed(stale)
    assert "too old" in stale.shut
    write(path, default=Default.OPEN, sequence=2, made=watched.clock.now())
    assert allowed(watched.after(10))


def test_from_the_future(tmp_path):
    """Rules that claim to be from the future close everything: staleness could never be seen."""
    assert Watched(write(tmp_path / "rules", made=NOW + timedelta(hours=1))).after(0).shut


def test_older_number(tmp_path):
    """A file with a lower number than one already seen is passed over."""
    path = write(tmp_path / "rules", Rule(id="t", says=Says.TAKEN_HIDE), default=Default.OPEN, sequence=5)
    watched = Watched(path)
    assert not allowed(watched.after(0))
    write(path, default=Default.OPEN, sequence=4)
    assert not allowed(watched.after(10))
    assert not watched.after(0).shut


def test_broken_later(tmp_path):
    """A file that is broken or removed while it is watched closes everything until a good one comes."""
    path = write(tmp_path / "rules", default=Default.OPEN)
    watched = Watched(path)
    assert allowed(watched.after(0))
    good = path.read_bytes()
    path.write_bytes(good[:-10])
    assert "signature" in watched.after(10).shut
    path.unlink()
    assert "no such file" in watched.after(10).shut
    path.write_bytes(good)
    assert allowed(watched.after(10))


def test_pull(tmp_path):
    """Pulling takes a newer file whole, and says when nothing changed."""
    source, local = write(tmp_path / "source", FULL), tmp_path / "local"
    assert pull(source, local, PUBLIC_KEY).changed
    assert local.read_bytes() == source.read_bytes()
    assert not pull(source, local, PUBLIC_KEY).changed
    write(source, sequence=2)
    assert pull(lambda: [source.read_bytes()[:20], source.read_bytes()[20:]], local, PUBLIC_KEY).sequence == 2


def test_pull_refuses(tmp_path):
    """Older, equally numbered and forged files are refused, and the local copy stays."""
    local = write(tmp_path / "local", FULL, sequence=5)
    before = local.read_bytes()
    for number in (4, 5):
        with pytest.raises(OlderRules):
            pull(write(tmp_path / "source", sequence=number), local, PUBLIC_KEY)
    with pytest.raises(ForgedRules):
        pull(lambda: [before[:-5]], local, PUBLIC_KEY)
    with pytest.raises(Missing):
        pull(tmp_path / "none", local, PUBLIC_KEY)
    assert local.read_bytes() == before


def test_pull_replaces_a_broken_copy(tmp_path):
    """A local copy that is broken does not stand in the way of a good one."""
    local = tmp_path / "local"
    local.write_bytes(b"torn")
    assert pull(write(tmp_path / "source"), local, PUBLIC_KEY).changed


def test_keys(tmp_path):
    """A pair of keys is made once; the private one is for its owner only."""
    private, public = tmp_path / "key", tmp_path / "key.pub"
    make_keys(private, public)
    first = private.read_bytes()
    make_keys(private, public)
    assert private.read_bytes() == first
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    path = write(tmp_path / "rules", key=signing_key(private))
    assert read_rules(path, checking_key(public)).sequence == 1


def test_bad_keys(tmp_path):
    """What is no key is refused."""
    path = tmp_path / "key"
    for data in (b"", b"x", b"-----BEGIN PRIVATE KEY-----\n"):
        path.write_bytes(data)
        with pytest.raises(BadKey):
            signing_key(path)
        with pytest.raises(BadKey):
            checking_key(path)


def test_seats_are_limited():
    """So many readers sit at once; a seat is free again when it is left or not used for a while."""
    clock = ManualClock()
    seats, seat = Seats(clock=clock, kept_for=60), Seat(rule="p", most=2)
    assert seats.take(seat, "a")
    assert seats.take(seat, "b")
    assert not seats.take(seat, "c")
    assert seats.take(seat, "a")
    assert (seats.held("a"), seats.held("c")) == ({"p"}, frozenset())
    seats.leave("b")
    assert seats.take(seat, "c")
    clock.advance(60)
    assert seats.held("a") == frozenset()
    assert seats.take(seat, "d")


def test_closed_rules_are_few():
    """Closed rules hold nothing but their reason."""
    assert (len(Rules.closed("x")), Rules.closed("x").shut) == (0, "x")
