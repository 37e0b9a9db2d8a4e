"""What a source offers: of the names in its folders, which are deliveries, which are to be left, and why. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from opilio.deliveries.names import Parsed
from opilio.deliveries.profile import DeliveryProfile, Settling
from opilio.deliveries.source import Entry

_CLOCKS_APART = timedelta(minutes=5)  # a file "from the future" by more than this has no age that we could trust


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """A file in the folder of an action. Without faults it is a delivery to fetch."""

    action: str
    name: str
    path: str  # below the base of the source
    entry: Entry
    parsed: Parsed | None = None
    faults: tuple[str, ...] = ()
    checksum: str = ""  # path of the file that holds it
    done: bool = False  # whether the partner says that it is whole


@dataclass(frozen=True, kw_only=True, slots=True)
class LookedAt:
    """How a file looked when a source was listed before."""

    mark: tuple[int | None, str, str]
    times: int  # equal looks in a row
    last: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """Whether a file is written to its end, how often it looked the same, and why."""

    settled: bool
    times: int
    why: str


def offers(
    entries: Mapping[str, Sequence[Entry]], profile: DeliveryProfile, centres: frozenset[str]
) -> Iterable[Offer]:
    """Each file in the folders of actions that is, or tries to be, a delivery.

    `entries`: what lies in each folder, by the name of the action. Folders in folders and unfinished files are left.
    """
    for action in profile.actions:
        here = entries.get(action.name, ())
        names = {one.name for one in here if one.file}
        beside = {_named(text, name) for name in names for text in _companions(profile)}
        for one in sorted(here, key=lambda entry: entry.name):
            if one.file and _tracked(one.name, profile) and one.name not in beside:
                yield _offer(action.name, action.folder, one, names, profile, centres)


def settled(offer: Offer, before: LookedAt | None, rule: Settling, now: datetime) -> Settled:
    """Whether a file may be fetched: the partner says so, it is old enough, or it looked the same often enough."""
    if rule.done:
        why = "The partner says that it is whole." if offer.done else f"There is no {_named(rule.done, offer.name)}."
        return Settled(settled=offer.done, times=1, why=why)
    times = _times(offer.entry, before, rule, now)
    if rule.age and _age(offer.entry, now) >= rule.age:
        return Settled(settled=True, times=times, why=f"It is older than {rule.age} s.")
    if times >= rule.looks:
        return Settled(settled=True, times=times, why=f"It looked the same {times} times.")
    why = f"It may still be written: seen {times} of {rule.looks} times, {rule.quiet:g} s apart. Run again then."
    return Settled(settled=False, times=times, why=why)


def _times(entry: Entry, before: LookedAt | None, rule: Settling, now: datetime) -> int:
    if before is None or before.mark != entry.mark:
        return 1
    return before.times + (1 if (now - before.last).total_seconds() >= rule.quiet else 0)


def _age(entry: Entry, now: datetime) -> float:
    if entry.modified is None or entry.modified > now + _CLOCKS_APART:
        return -1.0
    return (now - entry.modified).total_seconds()


def _offer(
    action: str, folder: str, entry: Entry, names: set[str], profile: DeliveryProfile, centres: frozenset[str]
) -> Offer:
    judged = profile.deliveries.rule.judge(entry.name, centres)
    faults = judged.faults
    if entry.size is not None and entry.size > profile.largest:
        faults += (f"It has {entry.size:,} bytes; more than {profile.largest:,} are not taken.",)
    beside = [_named(text, entry.name) for text in profile.checksums]
    sums = next((f"{folder}/{name}" for name in beside if name in names), "")
    done = bool(profile.settling.done) and _named(profile.settling.done, entry.name) in names
    return Offer(
        action=action, name=entry.name, path=f"{folder}/{entry.name}", entry=entry, parsed=judged.parsed,
        faults=faults, checksum=sums, done=done,
    )  # fmt: skip


def _companions(profile: DeliveryProfile) -> list[str]:
    return [*profile.checksums, *([profile.settling.done] if profile.settling.done else [])]


def _tracked(name: str, profile: DeliveryProfile) -> bool:
    """Whether it has the ending of deliveries, and not that of a file which is still being written."""
    unfinished = name.startswith(".") or name.lower().endswith(
        tuple(one.lower() for one in profile.settling.unfinished)
    )
    return name.lower().endswith(profile.deliveries.ending.lower()) and not unfinished


def _named(form: str, name: str) -> str:
    return form.replace("{name}", name)
