"""How much the limits still allow. Room for pages is reserved when an entry is taken, so that it is never exceeded."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from opilio.crawl.frontier import counting
from opilio.crawl.frontier.database import Database
from opilio.crawl.frontier.values import Entry, Held
from opilio.crawl.plan import CrawlPlan, Limits, limit


@dataclass(slots=True)
class Room:
    """How many more pages may be taken; no number: any."""

    pages: int | None = None
    seeds: dict[int, int] = field(default_factory=dict)  # those with a limit
    used_up: bool = False  # all pages are recorded, not only reserved

    def admits(self, entry: Entry) -> bool:
        """Whether there is room for an entry; if so, it is taken."""
        if not entry.counted:
            return True
        seed = entry.label.seed
        if (self.pages is not None and self.pages <= 0) or self.seeds.get(seed, 1) <= 0:
            return False
        if self.pages is not None:
            self.pages -= 1
        if seed in self.seeds:
            self.seeds[seed] -= 1
        return True

    @property
    def empty(self) -> bool:
        """Whether no page may be taken now."""
        return self.pages is not None and self.pages <= 0

    @property
    def full_seeds(self) -> list[int]:
        """Seeds that have no room."""
        return sorted(seed for seed, left in self.seeds.items() if left <= 0)


def counts_pages(plan: CrawlPlan, limits: Limits) -> bool:
    """Whether room for pages must be reserved."""
    return limit(limits.pages) is not None or any(limit(seed.max_pages) for seed in plan.seeds)


def limit_reached(db: Database, limits: Limits) -> str:
    """The limit of bytes or seconds that is reached, by name."""
    most = limit(limits.bytes)
    if most is not None and counting.value_of(db, "bytes") >= most:
        return "bytes"
    most = limit(limits.seconds)
    if most is not None and counting.value_of(db, "milliseconds") >= 1000 * most:
        return "seconds"
    return ""


def room_for_pages(
    db: Database, plan: CrawlPlan, limits: Limits, held: Sequence[int], inflight: Sequence[Held]
) -> Room:
    """What is left beside recorded pages, reservations of others, and entries the worker has; under the guard."""
    used = counting.sums(db)
    taken: Counter[int] = Counter(entry.label.seed for entry in inflight if entry.counted)
    for bucket, seed, slots in counting.reserved(db):
        if bucket not in held:
            taken[seed] += slots
    room = Room()
    most = limit(limits.pages)
    if most is not None:
        room.pages = max(0, most - used.get("counted", 0) - taken.total())
        room.used_up = used.get("counted", 0) >= most
    for number, each in enumerate(plan.seeds):
        if (most := limit(each.max_pages)) is not None:
            room.seeds[number] = max(0, most - used.get(f"seed/{number}", 0) - taken[number])
    return room
