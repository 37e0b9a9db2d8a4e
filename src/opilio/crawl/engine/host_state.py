"""What a worker knows of a host while it owns it: entries waiting their turn, robots.txt, cookies, trouble."""

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from opilio.crawl.engine.growth import Growth
from opilio.crawl.fetch.cookies import CookieJar, loaded
from opilio.crawl.frontier.values import Entry, Host, Robots
from opilio.crawl.judging import Judgement
from opilio.crawl.logins.session import Session
from opilio.crawl.manners import HostManners
from opilio.crawl.robots import Ruleset
from opilio.crawl.robots_cache import RobotsRecord
from opilio.crawl.scope.growing import Growing
from opilio.kernel.clock import Clock
from opilio.kernel.errors import Damaged


@dataclass(eq=False, slots=True, kw_only=True)
class HostState:
    """One host."""

    host: Host
    jar: CookieJar
    queue: deque[Entry] = field(default_factory=deque)
    running: int = 0  # tasks that serve it
    opened: bool = False  # whether the store was asked for what it keeps
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    record: RobotsRecord | None = None
    rules: Ruleset | None = None
    robots_changed: bool = False
    sitemaps_queued: bool = False
    failures: int = 0  # errors in a row
    proxy_failures: int = 0  # in a row, while asking for robots.txt; not the host's fault
    verdict: Judgement | None = None  # of all its URLs, once it was given up
    growing: Growing | None = None  # None: no path is a trap
    growth: Growth | None = None  # None: no page is
    session_jars: dict[str, CookieJar] = field(default_factory=dict)  # of an earlier life, by name of the credential
    sessions: dict[str, Session] = field(default_factory=dict)  # by name of the credential

    @property
    def key(self) -> str:
        """What politeness counts by."""
        return self.host.name

    @property
    def name(self) -> str:
        """The host name without its port."""
        return self.key if self.key.endswith("]") else self.key.rpartition(":")[0] or self.key

    def manners(self) -> HostManners:
        """What the store remembered of it for the ledger."""
        host = self.host
        return HostManners(
            next_due=host.next_due,
            delay=host.delay,
            block_until=host.block_until,
            failures=host.failures,
            broken_until=host.broken_until,
            crawl_delay=self.rules.crawl_delay if self.rules else None,
        )

    def robots(self) -> Robots | None:
        """The robots record for the store, if it is new."""
        if not self.robots_changed or self.record is None:
            return None
        return Robots(evidence=self.record.evidence, body=self.record.body, expires=self.record.expires)

    def cookies(self) -> bytes | None:
        """The cookies for the store, if they changed."""
        jars = self.session_jars | {name: session.jar for name, session in self.sessions.items()}
        if not self.jar.changed and not any(jar.changed for jar in jars.values()):
            return None
        own = self.jar.dump()
        sessions = {name: jar.dump() for name, jar in jars.items()}
        return json.dumps({"own": own, "sessions": sessions} if sessions else own).encode()

    def take_cookies(self, kept: bytes, clock: Clock) -> None:
        """Take up the cookies of an earlier life."""
        found = _read(kept)
        sessions = found.get("sessions") if isinstance(found, dict) else {}
        if not isinstance(sessions, dict):
            raise Damaged("the kept cookies have no logins", where="crawl store", remedy="Start without them.")
        self.jar = jar_from(kept, clock)
        self.session_jars = {name: loaded(rows, clock) for name, rows in sessions.items()}


def jar_from(kept: bytes, clock: Clock) -> CookieJar:
    """The cookies of an earlier life, without those of logins."""
    found = _read(kept)
    return loaded(found.get("own", []) if isinstance(found, dict) else found, clock)


def _read(kept: bytes) -> Any:
    if not kept:
        return []
    try:
        return json.loads(kept)
    except ValueError:
        raise Damaged("the kept cookies are no JSON", where="crawl store", remedy="Start without them.") from None
