"""Where a command gets a password from: the terminal, standard input, or chance; never an argument."""

import getpass
import secrets
import sys
from dataclasses import dataclass

from opilio.kernel.errors import InvalidInput
from opilio.people.passwords import LONGEST, Policy

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that look alike


@dataclass(frozen=True, kw_only=True)
class Password:
    """A password, and whether it must be shown because nobody else knows it."""

    text: str
    generated: bool

    @property
    def shown(self) -> str | None:
        """What the answer may repeat."""
        return self.text if self.generated else None


def obtain(*, from_stdin: bool, generate: bool, policy: Policy) -> Password:
    """The password for a user."""
    if from_stdin and generate:
        raise InvalidInput(
            "A password is either given or generated", where="--password-stdin, --generate-password", remedy="Use one."
        )
    if from_stdin:
        return Password(text=first_line(), generated=False)
    if generate:
        return Password(text=generated(policy), generated=True)
    return Password(text=_typed(), generated=False)


def generated(policy: Policy) -> str:
    """A password of groups of five letters and digits, 5 bits each."""
    groups = max(5, -(-policy.min_length // 6) + 1)
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(5)) for _ in range(groups))


def first_line() -> str:
    """The secret that comes in as the first line."""
    try:
        line = sys.stdin.buffer.readline(4 * LONGEST + 2).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput("The password is not UTF-8", where="standard input", remedy="Send UTF-8.") from error
    text = line.rstrip("\r\n")
    if not text:
        raise InvalidInput("No password came in", where="standard input", remedy="Send it as the first line.")
    return text


def _typed() -> str:
    if not sys.stdin.isatty():
        raise InvalidInput(
            "There is no terminal to type a password at",
            where="standard input",
            remedy="Use --password-stdin or --generate-password.",
        )
    first = getpass.getpass("Password: ")
    if getpass.getpass("Again: ") != first:
        raise InvalidInput("The two passwords differ", where="terminal", remedy="Try again.")
    return first
