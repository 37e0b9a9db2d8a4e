"""What a worker holds: leases of buckets, the hosts in them, and the entries it has taken and not committed."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from opilio.crawl.engine.host_state import HostState
from opilio.crawl.frontier.values import Entry
from opilio.crawl.ledger import Ledger


@dataclass(eq=False, slots=True)
class Holdings:
    """Changes only between two steps of the event loop."""

    leases: dict[int, int] = field(default_factory=dict)  # bucket → epoch
    hosts: dict[int, HostState] = field(default_factory=dict)
    inflight: dict[int, Entry] = field(default_factory=dict)
    begun: set[int] = field(default_factory=set)  # those of them that were asked for, or have an outcome
    shed: set[int] = field(default_factory=set)  # buckets that go to other workers soon
    recalls: int = 0  # how often entries were recalled

    def owns(self, entry: Entry) -> bool:
        """Whether what becomes of an entry is still ours to record; not if it was given back and taken again."""
        return self.inflight.get(entry.id) is entry

    def begin(self, entry: Entry) -> bool:
        """From here on an entry cannot be recalled; False if it was already."""
        if not self.owns(entry):
            return False
        self.begun.add(entry.id)
        return True

    def leave(self, entries: Iterable[Entry]) -> None:
        """Entries that are committed, or that can be taken again."""
        for entry in entries:
            if self.owns(entry):
                del self.inflight[entry.id]
                self.begun.discard(entry.id)

    def recall(self) -> None:
        """Give back everything that was not asked for: orders have changed what may be."""
        self.recalls += 1
        for state in self.hosts.values():
            state.queue.clear()
        self.leave([entry for number, entry in self.inflight.items() if number not in self.begun])

    def renew(self, leases: Mapping[int, int], ledger: Ledger) -> None:
        """After a claim: a bucket with another epoch is a new one, and what was under way in it is void."""
        changed = {bucket for bucket, epoch in self.leases.items() if leases.get(bucket) != epoch}
        self.leases = dict(leases)
        self.drop(changed, ledger)

    def lose(self, buckets: Collection[int], ledger: Ledger) -> None:
        """Another worker has these buckets now."""
        for bucket in buckets:
            self.leases.pop(bucket, None)
            self.shed.discard(bucket)
        self.drop(buckets, ledger)

    def drop(self, buckets: Collection[int], ledger: Ledger) -> None:
        """Forget hosts and entries of buckets."""
        if not buckets:
            return
        for number in [number for number, state in self.hosts.items() if state.host.bucket in buckets]:
            state = self.hosts.pop(number)
            state.queue.clear()
            ledger.forget(state.key)
        for number in [number for number, entry in self.inflight.items() if entry.bucket in buckets]:
            del self.inflight[number]
            self.begun.discard(number)

    def trim(self, ledger: Ledger) -> None:
        """Forget hosts that nothing is done for; the store remembers them."""
        busy = {entry.host for entry in self.inflight.values()}
        idle = [number for number, state in self.hosts.items() if not state.running and number not in busy]
        for number in idle:
            ledger.forget(self.hosts.pop(number).key)
