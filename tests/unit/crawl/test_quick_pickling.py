"""What goes between a worker and the process that has the store."""

import pickle

import pytest

from opilio.crawl.engine import channel
from opilio.crawl.engine.quick_pickling import put_together
from opilio.crawl.frontier.batch import Batch, HostUpdate, PageResult, Requeued, Text
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.values import Entry, Found, HeldEntry, Host, Taken
from opilio.crawl.outcomes import Outcome
from opilio.kernel.capture import Position

ENTRY = Entry(id=7, host=65_536, name="a.example", hash64=-5, url="http://a.example/x", labels=(Label(1, 0, 0),))
PAGE = PageResult(
    entry=ENTRY, outcome=Outcome.FETCHED, status=200, title="é", place=Position(file="f", offset=1, length=2),
    text=Text(digest="sha1:A", extractor="1", body=b"x"),
    found=(Found("a.example", 3, "http://a.example/y", Label(2, 0, 0)),),
)  # fmt: skip
BATCH = Batch(
    owner="o", leases={1: 2}, now=3.0, ttl=4.0, pages=(PAGE,), requeued=(Requeued(entry=ENTRY),),
    hosts=(HostUpdate(id=65_536, next_due=1.0),),
)  # fmt: skip
TAKEN = Taken(entries=(ENTRY,), hosts={65_536: Host(id=65_536, name="a.example")})


@pytest.mark.parametrize(("value", "name"), [(BATCH, "now"), (TAKEN, "due")], ids=["batch", "taken"])
def test_what_arrives_equals_what_was_sent(value, name):
    """With all that lies inside, and frozen as it was."""
    packed = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    assert put_together.__name__.encode() in packed
    again = pickle.loads(packed)  # noqa: S301 - packed above
    assert again == value
    assert type(again) is type(value)
    with pytest.raises(AttributeError):
        setattr(again, name, 9.0)


def test_of_entries_under_way_only_what_counts_is_sent():
    """A worker may have taken thousands, and says so whenever it asks for more."""
    asked = {}

    class Answering:
        def call(self, what, *arguments, **named):
            asked.update(named)
            return Taken()

    channel.RemoteStore(Answering()).take("o", {1: 2}, 3.0, max_hosts=4, per_host=5, inflight=[ENTRY])
    (held,) = asked["inflight"]
    assert held == HeldEntry(id=7, host=65_536, label=Label(1, 0, 0), counted=True)
    assert held.bucket == ENTRY.bucket
