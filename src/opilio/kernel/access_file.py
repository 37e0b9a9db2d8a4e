"""The compiled rules as a signed, numbered, dated file: written by curation, pulled by replay, CDX and nodes.

A first line about the file, a line for each rule, a last line with an Ed25519 signature of all before it; the private
key stays with the writer. A reader that is not certain of fresh and genuine rules is closed: no rule, no access.
"""

import base64
import binascii
import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from opilio.kernel.access_checks import BadRule, require_time
from opilio.kernel.access_index import MAX_RULES, Default, Network, Rules
from opilio.kernel.access_json import loads, read_time, rule_from_json, rule_to_json, written
from opilio.kernel.access_rules import Rule
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict, Damaged, InvalidInput, Missing, OpilioError
from opilio.kernel.files import reading, writing

FORMAT = 1
MAX_BYTES = 512 << 20  # of a file
CHECK_EVERY = 10.0  # seconds
FRESH_FOR = timedelta(minutes=15)
_AHEAD = timedelta(minutes=2)  # by which clocks may differ
_MAGIC = "opilio-access-rules"
_LONGEST = 4 << 20  # bytes of a line
_CONTEXT = b"opilio access rules, form 1\n"  # what the signature is about, so that it fits nothing else
_HEAD = frozenset({"file", "form", "sequence", "made", "default", "rooms", "rules"})
_FETCH_AGAIN = "Fetch the file again from the machine that compiles the rules."


class NotAccessRules(InvalidInput):
    """A file that holds no rules of access."""


class ForgedRules(Damaged):
    """Rules whose signature does not fit."""


class NewerRules(Conflict):
    """Rules that a newer Opilio wrote."""


class OlderRules(Conflict):
    """Rules that are older than those which were there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CompiledRules:
    """A file of rules, read and found genuine."""

    sequence: int  # grows with every file
    made: datetime
    rules: Rules
    digest: str  # sha256 of the file

    def stale(self, now: datetime, fresh_for: timedelta = FRESH_FOR) -> str:
        """Why the rules cannot be relied on any more; empty when they can."""
        if now - self.made > fresh_for:
            return f"The rules of access were made at {written(self.made)} and are too old to be relied on."
        if self.made - now > _AHEAD:
            return f"The rules of access say that they were made at {written(self.made)}, which is still to come."
        return ""


def write_rules(
    path: Path, rules: Iterable[Rule], key: Ed25519PrivateKey, *, sequence: int, made: datetime,
    default: Default = Default.CLOSED, rooms: Mapping[str, Iterable[str | Network]] | None = None,
) -> int:  # fmt: skip
    """Write a signed file that appears whole; the number of its rules. Rules that do not fit together are refused."""
    held = Rules(rules, default=default, rooms=rooms)
    head = {
        "file": _MAGIC, "form": FORMAT, "sequence": _sequence(sequence), "made": written(require_time(made, "“made”")),
        "default": held.default.value, "rules": held.count,
        "rooms": {name: sorted(map(str, nets)) for name, nets in held.rooms.items()},
    }  # fmt: skip
    digest = hashlib.sha512()
    with writing(path) as stream:
        for line in _lines(head, held):
            digest.update(line)
            stream.write(line)
        signature = key.sign(_CONTEXT + digest.digest())
        stream.write(_line({"ed25519": base64.b64encode(signature).decode()}))
    return held.count


def read_rules(path: Path, key: Ed25519PublicKey) -> CompiledRules:
    """The rules of a file, its signature checked before anything in it is believed."""
    with reading(path), path.open("rb") as stream:
        return parse_rules(iter(lambda: stream.read(1 << 20), b""), key, where=str(path))


def parse_rules(parts: Iterable[bytes], key: Ed25519PublicKey, *, where: str) -> CompiledRules:
    """The same from bytes as they come."""
    data = _whole(parts, where)
    end = data.rfind(b"\n", 0, len(data) - 1) + 1
    _require_genuine(data[:end], data[end:], key, where)
    lines = iter(data[:end].split(b"\n")[:-1])
    try:
        head = _head(next(lines, b""), where)
        rules = Rules(map(_rule, lines), default=Default(head["default"]), rooms=head["rooms"])
    except BadRule as error:
        raise BadRule(error.what, where=f"{where}, {error.where}".rstrip(", "), remedy=error.remedy) from None
    if rules.count != head["rules"]:
        raise _unreadable(where, f"{head['rules']} rules were written, and {rules.count} are there")
    return CompiledRules(
        sequence=head["sequence"], made=head["made"], rules=rules, digest=hashlib.sha256(data).hexdigest()
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Pulled:
    """What pulling came to."""

    sequence: int
    made: datetime
    changed: bool  # a newer file was taken


def pull(source: Path | Callable[[], Iterable[bytes]], local: Path, key: Ed25519PublicKey) -> Pulled:
    """Copy the rules to a local file if they are newer than it; they are read and checked whole before they are taken.

    `OlderRules` when the source has fallen behind: a file that was valid once must not bring back what was closed.
    """
    where = str(source) if isinstance(source, Path) else "the source of the rules"
    data = _whole(_blocks(source) if isinstance(source, Path) else source(), where)
    found = parse_rules([data], key, where=where)
    before = _before(local, key)
    if before is not None:
        if found.digest == before.digest:
            return Pulled(sequence=found.sequence, made=found.made, changed=False)
        _require_newer(found, before, str(local))
    with writing(local) as stream:
        stream.write(data)
    return Pulled(sequence=found.sequence, made=found.made, changed=True)


class AccessFile:
    """The rules as they stand now; read again when their file changes. Safe to use from several threads."""

    def __init__(
        self, path: Path, key: Ed25519PublicKey, *, clock: Clock = SYSTEM,
        fresh_for: timedelta = FRESH_FOR, check_every: float = CHECK_EVERY,
    ) -> None:  # fmt: skip
        self._path = path
        self._key = key
        self._clock = clock
        self._fresh_for = fresh_for
        self._check_every = check_every
        self._lock = threading.Lock()
        self._checked: float | None = None  # on the monotonic clock
        self._mark: object = None  # by which a changed file is known
        self._held: CompiledRules | None = None
        self._trouble = "The rules of access have not been read yet."

    def rules(self, now: datetime | None = None) -> Rules:
        """The rules in force; closed to everybody, with the reason, when they are old, broken or not there."""
        with self._lock:
            self._check()
            held, trouble = self._held, self._trouble
        if held is None or trouble:
            return Rules.closed(trouble)
        stale = held.stale(now or self._clock.now(), self._fresh_for)
        return Rules.closed(stale) if stale else held.rules

    def _check(self) -> None:
        at = self._clock.monotonic()
        if self._checked is not None and 0 <= at - self._checked < self._check_every:
            return
        self._checked = at
        mark = _mark(self._path)
        if mark is not None and mark == self._mark:
            return
        self._mark = mark
        self._read()

    def _read(self) -> None:
        """An older file than the one held is passed over: what is held grows stale by itself."""
        try:
            found = read_rules(self._path, self._key)
        except OpilioError as error:
            self._trouble = f"The rules of access cannot be used: {error.what}."
            return
        if self._held is None or found.sequence > self._held.sequence or found.digest == self._held.digest:
            self._held, self._trouble = found, ""


def _lines(head: Mapping[str, Any], rules: Iterable[Rule]) -> Iterator[bytes]:
    yield _line(head)
    for rule in rules:
        yield _line(rule_to_json(rule))


def _line(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def _whole(parts: Iterable[bytes], where: str) -> bytes:
    held = bytearray()
    for part in parts:
        held += part
        if len(held) > MAX_BYTES:
            raise _unreadable(where, f"it is longer than {MAX_BYTES >> 20} MiB")
    return bytes(held)


def _require_genuine(body: bytes, last: bytes, key: Ed25519PublicKey, where: str) -> None:
    try:
        signature = base64.b64decode(loads(last[:_LONGEST], "the signature")["ed25519"], validate=True)
        key.verify(signature, _CONTEXT + hashlib.sha512(body).digest())
    except (InvalidSignature, BadRule, KeyError, TypeError, ValueError, binascii.Error):
        what = "the rules do not have the signature of their maker"
        raise ForgedRules(what, where=where, remedy=f"{_FETCH_AGAIN} Check that the public key is its own.") from None


def _head(line: bytes, where: str) -> dict[str, Any]:
    head = loads(line[:_LONGEST], "the first line")
    if not isinstance(head, dict) or head.get("file") != _MAGIC or not isinstance(head.get("form"), int):
        raise _unreadable(where, "its first line says something else")
    if head["form"] > FORMAT:
        what = f"the rules have form {head['form']}, and this Opilio reads forms up to {FORMAT}"
        raise NewerRules(what, where=where, remedy="Update this machine.")
    if head.keys() != _HEAD or not isinstance(head["rooms"], dict) or head["default"] not in set(Default):
        raise _unreadable(where, "its first line is not complete")
    if not isinstance(head["rules"], int) or not 0 <= head["rules"] <= MAX_RULES:
        raise _unreadable(where, "its number of rules cannot be")
    return {**head, "made": read_time(head["made"], "“made”"), "sequence": _sequence(head["sequence"])}


def _rule(line: bytes) -> Rule:
    if len(line) > _LONGEST:
        raise BadRule("a rule is too long", remedy="Use a role in place of single users.")
    return rule_from_json(loads(line, "a rule"))


def _sequence(number: object) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 < number < 1 << 63:
        raise BadRule("the number of the file cannot be used", where=str(number)[:80], remedy="Count from 1.")
    return number


def _before(local: Path, key: Ed25519PublicKey) -> CompiledRules | None:
    """The local copy; None when there is none, or none that can be used."""
    try:
        return read_rules(local, key)
    except (Missing, InvalidInput, Damaged):
        return None


def _require_newer(found: CompiledRules, before: CompiledRules, where: str) -> None:
    if found.sequence <= before.sequence:
        what = f"the rules have number {found.sequence}, and number {before.sequence} was here already"
        raise OlderRules(what, where=where, remedy=_FETCH_AGAIN)


def _blocks(path: Path) -> Iterator[bytes]:
    with reading(path), path.open("rb") as stream:
        while part := stream.read(1 << 20):
            yield part


def _mark(path: Path) -> object:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _unreadable(where: str, what: str) -> NotAccessRules:
    return NotAccessRules(f"the file holds no rules of access: {what}", where=where[:200], remedy=_FETCH_AGAIN)
