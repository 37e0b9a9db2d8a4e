"""What the how-to page says about webhooks is true: its table of events, and its code that checks signatures."""

import json
import re
from pathlib import Path

import pytest

from opilio.people.actions.webhooks import try_webhook
from opilio.people.webhook_events import table
from opilio.people.webhook_rules import MOST_FAILURES, MOST_TRIES, WAITS
from opilio.people.webhook_signature import signature
from tests.post_office import PostOffice
from tests.servers.receiver import Receiver

PAGE = (Path(__file__).parents[3] / "docs" / "howto" / "tell-other-programs.md").read_text("utf-8")


@pytest.fixture(scope="module")
def is_genuine():
    """The function of the page."""
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    made = {}
    exec(code, made)  # noqa: S102 - our own page
    return made["is_genuine"]


def test_the_table_of_events_is_current():
    """It is what `people/webhook_events.py` lists."""
    assert f"<!-- events: begin -->\n{table()}\n<!-- events: end -->" in PAGE


def test_the_code_of_the_page_takes_a_message_that_was_sent(is_genuine, town, settings):
    """A message as it arrives is genuine, and its body is the one of the page in form."""
    post = PostOffice(town, settings)
    with Receiver() as hook:
        row = post.webhook(hook.url)
        try_webhook(town.system, webhook_id=row.id)
        post.send()
        (taken,) = hook.taken
    header = taken.headers["Opilio-Signature"]
    now = post.clock.now().timestamp()
    assert is_genuine(post.secret, header, taken.body, now=now)
    assert not is_genuine(post.secret, header, taken.body + b" ", now=now)
    assert not is_genuine("whs_another", header, taken.body, now=now)
    assert not is_genuine(post.secret, header, taken.body, now=now + 301)
    (example,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert set(json.loads(example)) == set(json.loads(taken.body))


@pytest.mark.parametrize("header", ["", "t=,v1=", "v1=00", "t=1,v1=00", "t=-1", "=,=", "t=²,v1=0", "🕷", "t=1" * 5_000])
def test_the_code_of_the_page_bears_nonsense(is_genuine, header):
    """Whatever somebody sends is refused, not an error."""
    assert is_genuine("whs_secret", header, b"{}", now=10_000.0) is False


def test_the_code_of_the_page_knows_a_fixed_signature(is_genuine):
    """Computed once by hand (openssl), so that both sides cannot be wrong together."""
    known = "t=1767225600,v1=05c016c30ee939bb4ab3ef19c91db4a66a8f7632f0e0ca1e8e6b3197f052a1cb"
    assert signature("whs_example", b'{"a":1}', at=1767225600) == known
    assert is_genuine("whs_example", known, b'{"a":1}', now=1767225600)


def test_the_numbers_of_the_page_are_those_of_the_code():
    """Eight tries, their waits, and when a webhook is switched off."""
    assert (MOST_TRIES, MOST_FAILURES) == (8, 25)
    assert [int(wait.total_seconds()) for wait in WAITS] == [30, 120, 600, 1_800, 7_200, 21_600, 54_000]
    assert "eight tries in a day" in PAGE
    assert "fails 25 times in a row" in PAGE
