"""Decides from the answers to its seeds whether a site moved, is dead, parked, or closed behind a sign-in. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from opilio.curation.parked import parked
from opilio.works.seed_facts import SeedFacts

DEAD_AFTER = 3  # harvests in a row in which nothing answered
_SHOWN = 20  # pieces of evidence
_PERMANENT = frozenset({301, 308})
_NOBODY = ("no-such-host", "dns", "refused", "status 404", "status 410")  # how reasons begin
_CLOSED = frozenset({401, 403, 407})
_SIGN_IN_PATH = re.compile(
    r"/(?:[\w-]*(?:login|log-in|signin|sign-in|logon|sso)[\w-]*|auth|anmelden|connexion)(?:[/.?]|$)", re.IGNORECASE
)
_SIGN_IN_WORDS = re.compile(
    r"^\W*(?:log ?in|sign ?in|anmelden|einloggen|connexion|se connecter|iniciar sesión|accedi|inloggen|logga in)\b"
    r"|(?:log|sign) ?in to (?:continue|view|see|read|access)|(?:you must|please) (?:log|sign) ?in|members only"
    r"|bitte (?:melden sie sich|loggen sie sich)|réservé aux (?:membres|abonnés)",
    re.IGNORECASE,
)
_SHORT = 600  # characters of a page that says nothing but that one should sign in


class Trouble(StrEnum):
    """What may be wrong with a site; the values are the kinds of the tasks about it."""

    MOVED = "site-moved"
    DEAD = "site-dead"
    PARKED = "site-parked"
    CLOSED = "site-closed"


#: What a person is asked to do.
ADVICE: dict[Trouble, str] = {
    Trouble.MOVED: "Change the seeds to the new place, see whether the permission covers it, or keep them as they are.",
    Trouble.DEAD: "See whether the site has another address; else complete or cancel the target.",
    Trouble.PARKED: "See whether the site has another address; else complete or cancel the target.",
    Trouble.CLOSED: "Ask for access, and give the target a credential; or cancel it.",
}
SUBJECTS: dict[Trouble, str] = {
    Trouble.MOVED: "The site of {} moved", Trouble.DEAD: "The site of {} seems dead",
    Trouble.PARKED: "The site of {} seems parked", Trouble.CLOSED: "The site of {} asks to sign in",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A trouble with what it rests on, a sentence for each seed."""

    trouble: Trouble
    evidence: Sequence[str]


def examined(seeds: Sequence[SeedFacts]) -> list[Finding]:
    """What the answers to the seeds of one harvest tell; a moved site if any seed did, the others only if all agree."""
    found = []
    if moved := [words for seed in seeds if (words := _moved(seed))]:
        found.append(Finding(trouble=Trouble.MOVED, evidence=moved[:_SHOWN]))
    for trouble, rule in ((Trouble.DEAD, _dead), (Trouble.PARKED, _parked), (Trouble.CLOSED, _closed)):
        told = [rule(seed) for seed in seeds]
        if told and all(told):
            found.append(Finding(trouble=trouble, evidence=told[:_SHOWN]))
    return found


def _moved(seed: SeedFacts) -> str:
    if not seed.steps or any(step.status not in _PERMANENT for step in seed.steps):
        return ""
    before, after = _host(seed.url), _host(seed.last)
    if not after or before == after or parked(url=seed.last, title="", text=""):
        return ""
    return f"{seed.url} leads to {seed.last} for good (status {seed.steps[0].status})."


def _dead(seed: SeedFacts) -> str:
    if seed.outcome in ("gone", "transient-error", "permanent-error") and seed.reason.startswith(_NOBODY):
        return f"{seed.last}: {seed.reason}."
    return ""


def _parked(seed: SeedFacts) -> str:
    why = parked(url=seed.last, title=seed.title, text=seed.text)
    return f"{seed.last}: {why}." if why else ""


def _closed(seed: SeedFacts) -> str:
    if seed.outcome == "auth-lost" or seed.status in _CLOSED:
        return f"{seed.last}: {seed.reason or f'status {seed.status}'}."
    if seed.outcome == "blocked":
        return f"{seed.last}: {seed.reason or 'a wall answered'}."
    if len(seed.text) <= _SHORT and any(_SIGN_IN_WORDS.search(words.strip()) for words in (seed.title, seed.text)):
        return f"{seed.last}: the page asks to sign in."
    return _sign_in_path(seed)


def _sign_in_path(seed: SeedFacts) -> str:
    """A seed that is sent to a page to sign in, which it was not itself."""
    led = seed.steps and _SIGN_IN_PATH.search(_path(seed.last)) and not _SIGN_IN_PATH.search(_path(seed.url))
    return f"{seed.url} leads to {seed.last}, to sign in." if led else ""


def _host(url: str) -> str:
    """The host without www., which people do not mean; empty where there is none."""
    try:
        return (urlsplit(url).hostname or "").lower().removeprefix("www.")
    except ValueError:
        return ""


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
