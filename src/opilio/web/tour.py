"""The tour for somebody who signs in for the first time: a few stops, only such as the person may go to."""

from dataclasses import dataclass

from opilio.people.actor import Actor
from opilio.web.sections import BY_NAME, Section

#: Name of the section → what a newcomer should know of it.
_WORDS = {
    "in-tray": "What waits for you and for people with your role: claim a task, do it, and it is gone for the others. "
    "The day begins here.",
    "targets": "What is worth collecting. A target is nominated, approved and harvested; its first page says where it "
    "stands, what can happen next and what is missing.",
    "permissions": "The right to collect, with its dates. Ask the page about any URL: it says whether it may be "
    "collected, by which permission, or why not.",
    "harvests": "Each dated run of a target. Watch one while it runs, ask what became of any URL, see why one waits.",
    "review": "What was collected, with a recommendation and its reasons. Replay it, prune it, endorse it: only what "
    "is endorsed reaches readers.",
    "deliveries": "What partners sent: who delivered, how far each file came, and the line at fault of one refused.",
    "search": "The text of everything that was collected. Readers have a page of their own, which needs no sign-in.",
    "users": "Who may do what: users with roles, in one agency or several. Every change is in the audit log.",
    "help": "What each field and privilege means, and the keys that save time.",
}  # fmt: skip
_MOST = 6


@dataclass(frozen=True, kw_only=True)
class Stop:
    """One stop of the tour."""

    number: int  # from 1
    section: Section
    words: str


def stops(actor: Actor) -> list[Stop]:
    """The stops for somebody: the first six that are open, and help at the end."""
    opened = [BY_NAME[name] for name in _WORDS if BY_NAME[name].open_to(actor)]
    chosen = [*opened[:-1][: _MOST - 1], opened[-1]]
    return [Stop(number=number, section=each, words=_WORDS[each.name]) for number, each in enumerate(chosen, 1)]
