"""The events that webhooks can hear of, each with a sentence; whoever adds one also adds what produces it.

The table of docs/howto/tell-other-programs.md is made from it, and a test makes each of them happen.
"""

from dataclasses import dataclass

from opilio.people.row_pages import path_of

TEST = "webhook.test"  # sent by hand, to try a webhook; not chosen


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happens."""

    name: str
    sentence: str


EVENTS: tuple[Event, ...] = (
    Event(name="harvest.queued", sentence="A harvest was frozen and waits for an agent."),
    Event(name="harvest.started", sentence="An agent began to crawl."),
    Event(name="harvest.paused", sentence="A harvest asks for nothing more until it goes on."),
    Event(name="harvest.resumed", sentence="A paused harvest goes on."),
    Event(name="harvest.harvested", sentence="What a harvest collected is sealed and waits for review."),
    Event(name="harvest.aborted", sentence="A harvest was aborted, skipped, or cannot be done."),
    Event(name="harvest.deferred", sentence="A harvest without a right was put off by a day."),
    Event(name="harvest.held", sentence="A harvest waits for a person to decide about it."),
    Event(name="harvest.late", sentence="A harvest stays longer in a state than it should."),
    Event(name="harvest.endorsed", sentence="A harvest was found good, with one of its results."),
    Event(name="harvest.rejected", sentence="Every result of a harvest was rejected."),
    Event(name="harvest.archived", sentence="A depository has a harvest, and its receipt was checked."),
    Event(name="result.endorsed", sentence="A result of a harvest was found good."),
    Event(name="delivery.taken", sentence="A delivery of a centre went all the way that it could in a session."),
    Event(name="delivery.failed", sentence="A delivery of a centre failed in a session."),
    Event(name="session.ended", sentence="A delivery session ended."),
    Event(name="permission.approved", sentence="A permission was granted."),
    Event(name="permission.denied", sentence="A permission was refused."),
    Event(name="target.nominated", sentence="A target waits for approval."),
    Event(name="target.approved", sentence="A target was approved; its harvests are planned."),
    Event(name="target.rejected", sentence="A target was rejected."),
    Event(name="target.cancelled", sentence="A target was cancelled; nothing is planned for it any more."),
    Event(name="target.completed", sentence="Nothing is planned for a target any more."),
    Event(name="target.reinstated", sentence="A target was taken up again."),
    Event(name="task.created", sentence="A task was put into the in-tray of those who can do it."),
)
NAMES = frozenset(event.name for event in EVENTS)


def page_of(kind: str, identifier: int) -> str:
    """The path of the page of what an event is about; tasks are found in the in-tray."""
    return path_of(kind, identifier) or "/in-tray"


def table() -> str:
    """The events as the Markdown table of the how-to page."""
    rows = [f"| `{event.name}` | {event.sentence} |" for event in EVENTS]
    return "\n".join(["| Event | What happened |", "|---|---|", *rows])
