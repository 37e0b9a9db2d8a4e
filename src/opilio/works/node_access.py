"""Rules of access for the service of a node: read from a file, which may be pulled from where they are made."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from opilio.kernel.access_file import AccessFile, read_rules
from opilio.kernel.access_keys import checking_key
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.search.nodes.index_contents import RulesNow
from opilio.works.access_home import CHECK_EVERY
from opilio.works.access_pulling import AccessPulling, RulesCopy, source_of


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeAccess:
    """What an operator says of rules of access."""

    file: Path | None = None  # compiled rules
    key: Path | None = None  # the public key of those who made them
    source: str = ""  # file or address from which they are pulled; empty: the file is brought by other means
    token: str = field(default="", repr=False)  # of the nodes, for that address


@contextlib.contextmanager
def ruling(wishes: NodeAccess) -> Iterator[RulesNow | None]:
    """The rules as they stand at any time during the block; None without rules: then everything is open.

    Rules that cannot be used at the beginning are an error; later they close everything once they are too old.
    """
    if (wishes.file is None) is not (wishes.key is None):
        remedy = "Give both: the rules, and the public key that belongs to them."
        raise InvalidInput("--access and --access-key belong together", remedy=remedy)
    if wishes.file is None or wishes.key is None:
        if wishes.source:
            remedy = "Give --access and --access-key, too."
            raise InvalidInput("rules that are pulled need a place", where="--access-source", remedy=remedy)
        yield None
        return
    key = checking_key(wishes.key)
    with contextlib.ExitStack() as stack:
        if wishes.source:
            copy = RulesCopy(source_of(wishes.source, wishes.token), wishes.file, key)
            _pull_first(copy)
            stack.enter_context(AccessPulling(copy))
        read_rules(wishes.file, key)
        yield AccessFile(wishes.file, key, check_every=CHECK_EVERY).rules


def _pull_first(copy: RulesCopy) -> None:
    """Without a copy from earlier, the source must answer now."""
    try:
        copy.pull()
    except OpilioError:
        if not copy.local.exists():
            raise
