"""What is judged, and what the rules say about it."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

from opilio.crawl.outcomes import Outcome
from opilio.kernel.capture import Hop


class Word(Enum):
    """What one rule says."""

    ACCEPT = "accept"
    REJECT = "reject"
    PASS = "pass"  # noqa: S105 - no password: the rule has nothing to say here


class Candidate(NamedTuple):
    """A URL that may be fetched, and the way to it. A tuple and not a dataclass, because every new link makes one."""

    url: str  # canonical
    seed: int
    depth: int  # link hops from the seed
    embed_hops: int = 0  # steps from the page whose part it is
    hop: Hop = Hop.LINK

    @property
    def host(self) -> str:
        """Name or address, without the port."""
        authority = self.url.split("/", 3)[2]
        return authority[: authority.index("]") + 1] if authority[0] == "[" else authority.partition(":")[0]

    @property
    def path(self) -> str:
        """With its first slash, without the query."""
        return self.url[self.url.index("/", 8) :].partition("?")[0]

    @property
    def query(self) -> str:
        """Without its question mark."""
        return self.url.partition("?")[2]


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """The last word about a candidate, by which rule, and why in a sentence."""

    accepted: bool
    rule: str
    reason: str = ""
    outcome: Outcome = Outcome.SCOPE_DENIED  # of a rejected one


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One rule's word, with its reason; the outcome counts when it rejects."""

    word: Word
    reason: str = ""
    outcome: Outcome = Outcome.SCOPE_DENIED


PASS = Said(word=Word.PASS)
ACCEPT = Said(word=Word.ACCEPT)


class Rule(Protocol):
    """One question about a candidate. Pure: the same answer for any worker, at any time."""

    @property
    def name(self) -> str:
        """How reports call it."""
        ...

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        """Accept, reject, or pass; `so_far` is the last word of the rules before."""
        ...
