"""Which passwords are good enough: length, not guessable from the account, not common, not used before."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.hashers import check_password
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

from opilio.people.errors import WeakPassword

LONGEST = 1_024  # characters; hashing more would let anybody keep the machine busy
_FEWEST_DIFFERENT = 5
_COMMON = CommonPasswordValidator()


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What the installation asks of passwords."""

    min_length: int
    history: int


def faults(password: str, *, policy: Policy, account_words: Iterable[str]) -> list[str]:
    """Why the password cannot be used; empty when it can."""
    found = []
    if len(password) < policy.min_length:
        found.append(f"it has fewer than {policy.min_length} characters")
    if len(password) > LONGEST:
        found.append(f"it has more than {LONGEST} characters")
    if len(set(password)) < _FEWEST_DIFFERENT:
        found.append("it repeats the same few characters")
    if any(len(word) > 3 and word.lower() in password.lower() for word in account_words):
        found.append("it contains the user name or another part of the account")
    if _common(password):
        found.append("it is among the most common passwords")
    return found


def used_before(password: str, hashes: Iterable[str]) -> bool:
    """Whether it is one of the earlier passwords."""
    return any(check_password(password, encoded) for encoded in hashes)


def refuse(found: list[str]) -> None:
    """Raise when there are faults."""
    if found:
        raise WeakPassword(
            f"The password cannot be used: {'; '.join(found)}",
            where="new password",
            remedy="Choose a longer one, for example four unrelated words.",
        )


def _common(password: str) -> bool:
    try:
        _COMMON.validate(password)
    except ValidationError:
        return True
    return False
