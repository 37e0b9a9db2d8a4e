"""Rules of access at the door of replay: one kind of reader, rules that are read again while it runs.

What a rule hides without a word is taken out of the index itself, so that every page and list answers as if it had
never been captured.
"""

import ipaddress
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from opilio.archive.cdx.keys import Span
from opilio.archive.cdx.rows import parse_line
from opilio.archive.cdx.searching import Searchable
from opilio.archive.cdx.seeking import Line
from opilio.archive.replay.holdings import Access, Holding
from opilio.kernel.access import PUBLIC, Decision, Reader, Rules, decide
from opilio.kernel.access_file import CHECK_EVERY, AccessFile, read_rules
from opilio.kernel.access_keys import checking_key
from opilio.kernel.access_seats import Seats
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.kernel.logs import logger
from opilio.works.access_pulling import EVERY, AccessPulling, RulesCopy, source_of
from opilio.works.replay_seats import SeatedDecisions

log = logger(__name__)

ANYBODY, STAFF = "public", "staff"
_NO_AGENCY = "The rules of access name agencies, and replay was not told whose captures these are."


@dataclass(frozen=True, kw_only=True, slots=True)
class AccessWishes:
    """What replay was told about rules of access."""

    access: Path | None = None  # compiled rules
    access_key: Path | None = None  # the public key of those who made them
    source: str = ""  # file or address where the rules are made, from which they are pulled
    agency: str = ""  # whose captures these are
    target: str = ""  # to which target they belong
    harvest: str = ""  # and to which harvest
    token: str = field(default="", repr=False)  # of the nodes, for an address from which rules are pulled
    reader: str = ANYBODY  # as whom everybody is treated: the public, staff of the agency, or an IP address


class RuledAccess:
    """Decides by the rules as they stand now; closed when they are old, broken or gone. For several threads."""

    def __init__(
        self, file: AccessFile, *, agency: str = "", target: str = "", harvest: str = "", reader: Reader = PUBLIC,
        clock: Clock = SYSTEM,
    ) -> None:  # fmt: skip
        self._file = file
        self._agency = agency
        self._target = target
        self._harvest = harvest
        self._reader = reader
        self._clock = clock
        self._seats = SeatedDecisions(Seats(clock=clock))
        self._known: tuple[Rules, bool] | None = None  # whether the rules asked last name agencies

    def __call__(self, url: str, captured: datetime) -> Decision:
        found = self._decided(url, captured)
        return self._decided(url, captured) if self._seats.sat_down(found) else found

    def _decided(self, url: str, captured: datetime) -> Decision:
        now = self._clock.now()
        reader = replace(self._reader, seats=self._seats.held())
        return decide(
            self._rules(now), url=url, captured=captured, agency=self._agency, target=self._target,
            harvest=self._harvest, reader=reader, now=now,
        )  # fmt: skip

    @property
    def shut(self) -> str:
        """Why everything is closed now; empty when it is not."""
        return self._rules(self._clock.now()).shut

    def _rules(self, now: datetime) -> Rules:
        """Rules of agencies cannot be held against captures of nobody knows whom: one of them might close these."""
        rules = self._file.rules(now)
        if self._agency or rules.shut:
            return rules
        known = self._known
        if known is None or known[0] is not rules:
            known = self._known = (rules, names_agencies(rules))
        return Rules.closed(_NO_AGENCY) if known[1] else rules


def ruled_access(wishes: AccessWishes, *, clock: Clock = SYSTEM) -> RuledAccess | None:
    """What decides, or None without rules. A file that cannot be used now is an error; one that is old closes all."""
    if (wishes.access is None) is not (wishes.access_key is None):
        remedy = "Give both: the rules, and the public key that belongs to them."
        raise InvalidInput("--access and --access-key belong together", remedy=remedy)
    if wishes.source and wishes.access is None:
        remedy = "Give --access FILE, where the copy is kept, and --access-key."
        raise InvalidInput("rules that are pulled need a place", where="--access-source", remedy=remedy)
    if wishes.access is None or wishes.access_key is None:
        if wishes.agency or wishes.reader != ANYBODY:
            raise InvalidInput("--agency and --reader mean nothing without rules", remedy="Give --access, too.")
        return None
    key, reader = checking_key(wishes.access_key), _reader(wishes)
    if wishes.source:
        _pull_first(RulesCopy(source_of(wishes.source, wishes.token), wishes.access, key))
    found = read_rules(wishes.access, key)
    if not wishes.agency and names_agencies(found.rules):
        what = "the rules name agencies, and it is not said whose captures these are"
        raise InvalidInput(what, where=str(wishes.access), remedy="Give --agency.")
    file = AccessFile(wishes.access, key, clock=clock, check_every=EVERY if wishes.source else CHECK_EVERY)
    return RuledAccess(
        file, agency=wishes.agency, target=wishes.target, harvest=wishes.harvest, reader=reader, clock=clock
    )


def pulling(wishes: AccessWishes) -> AbstractContextManager[object]:
    """Keeps the rules as new as their source has them for the length of a `with`; does nothing without a source."""
    if not wishes.source or wishes.access is None or wishes.access_key is None:
        return nullcontext()
    return AccessPulling(
        RulesCopy(source_of(wishes.source, wishes.token), wishes.access, checking_key(wishes.access_key))
    )


def _pull_first(copy: RulesCopy) -> None:
    """A source that cannot be had now is an error only where there is no copy to begin with."""
    try:
        copy.pull()
    except OpilioError as error:
        if not copy.local.is_file():
            raise
        log.warning("access_rules_not_pulled", where=error.where, error=error.what)


def names_agencies(rules: Rules) -> bool:
    """Whether a rule is about the captures of one agency only."""
    return any(rule.agency for rule in rules)


def guarded(holding: Holding, index: Searchable, access: Access) -> Holding:
    """A result behind rules. Bodies may still come from captures that are hidden: each capture is decided by itself,
    whether or not its bytes are stored twice."""
    return replace(
        holding,
        access=access,
        source=replace(holding.source, index=ToldIndex(index, access)),
        earlier=(holding.source, *holding.earlier),
        seeds=tuple(url for url in holding.seeds if _may_be_named(index, access, url)),
        thumbnail=partial(_thumbnail, index, access, holding.thumbnail),
    )


class ToldIndex(Searchable):
    """An index without the captures of which a reader must not learn."""

    def __init__(self, index: Searchable, access: Access) -> None:
        self._index = index
        self._access = access

    def lines(self, span: Span, *, backward: bool = False) -> Iterator[Line]:
        for line in self._index.lines(span, backward=backward):
            row = parse_line(line.text, where=line.where)
            if _told(self._access(row.url, row.at)):
                yield line

    def blocks(self, span: Span) -> int:
        return self._index.blocks(span)

    def cut(self, span: Span, number: int) -> bytes:
        return self._index.cut(span, number)


def _told(decision: Decision) -> bool:
    return decision.allowed or decision.told


def _may_be_named(index: Searchable, access: Access, url: str) -> bool:
    """Whether a seed has a capture that readers may know of, or none at all."""
    decisions = [access(row.url, row.at) for row in index.exact(url)]
    return not decisions or any(map(_told, decisions))


def _thumbnail(
    index: Searchable, access: Access, picture: Callable[[str], bytes | None], url: str
) -> bytes | None:  # fmt: skip
    """A picture may show any capture of its page, so that all of them must be open."""
    found = picture(url)
    if found is None:
        return None
    decisions = [access(row.url, row.at).allowed for row in index.exact(url)]
    return found if decisions and all(decisions) else None


def _reader(wishes: AccessWishes) -> Reader:
    if wishes.reader == ANYBODY:
        return PUBLIC
    if wishes.reader == STAFF:
        if not wishes.agency:
            raise InvalidInput("staff are staff of an agency", where="--reader", remedy="Give --agency.")
        return Reader(staff_of=frozenset({wishes.agency}))
    try:
        return Reader(address=str(ipaddress.ip_address(wishes.reader)))
    except ValueError:
        remedy = f"Give {ANYBODY}, {STAFF}, or an IP address as of a reading room."
        raise InvalidInput(f"{wishes.reader[:80]!r} is no reader", where="--reader", remedy=remedy) from None
