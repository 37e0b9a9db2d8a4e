"""Host names: one below the base name for each result, `r12.replay.localhost`; the base name lists them."""

import re
from dataclasses import dataclass

from opilio.kernel.errors import InvalidInput

_BASE = re.compile(r"(?=.{1,200}\Z)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+")
_RESULT = re.compile(r"r(0|[1-9]\d{0,17})")


@dataclass(frozen=True, kw_only=True, slots=True)
class HostNames:
    """The names under which replay answers."""

    base: str = "replay.localhost"

    def __post_init__(self) -> None:
        if not _BASE.fullmatch(self.base):
            remedy = "Give a name such as replay.example.org, with a wildcard below it, that no other pages use."
            raise InvalidInput("the name for replay is no host name below another", where=self.base[:80], remedy=remedy)

    def result_of(self, name: str) -> int | None:
        """The result that a host name stands for; None when it stands for none."""
        label, _, rest = name.partition(".")
        found = _RESULT.fullmatch(label)
        return int(found[1]) if found and rest == self.base else None

    def name_of(self, result: int) -> str:
        """The host name of a result."""
        return f"r{result}.{self.base}"

    @property
    def local(self) -> bool:
        """Whether browsers find the names on their own machine, and trust them without TLS."""
        return self.base.endswith(".localhost")
