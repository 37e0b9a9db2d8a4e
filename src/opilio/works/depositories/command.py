"""A command that takes packages: started without a shell, asked in JSON on its standard input, answering in JSON."""

import json
import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

from opilio.works.depositories.errors import BadPlace, DepositRefused, NoAnswer, Untrue
from opilio.works.depositories.statements import LONGEST, is_nothing, statement
from opilio.works.depositories.values import Checked, Package, Receipt, Told, require_same

_SURROUNDINGS = {"PATH": os.defpath, "LANG": "C.UTF-8"}  # nothing of ours: no secret reaches it by accident
_TAIL = 1_000  # characters of what it complained about


@dataclass(frozen=True, kw_only=True)
class CommandDepository:
    """One command with its arguments."""

    arguments: tuple[str, ...]
    timeout: float  # seconds
    username: str = ""
    secret: str = field(default="", repr=False)

    def find(self, package: Package) -> Receipt | None:
        """It is asked what it has under the key; `{"found": false}` means nothing."""
        data = self._asked("find", package, {})
        return None if is_nothing(data, self._where) else statement(data, self._where).receipt

    def deposit(self, package: Package, answers: Mapping[str, str], told: Told) -> Receipt:
        """It is told where the package lies, and answers when it has it."""
        told("handing over", 0, package.size)
        return statement(self._asked("deposit", package, answers), self._where).receipt

    def check(self, package: Package, receipt: Receipt, told: Told) -> Checked:
        """It is asked to read again what it has."""
        told("reading again", 0, package.size)
        data = self._asked("check", package, {})
        if is_nothing(data, self._where):
            raise Untrue("the depository has nothing under this key", where=self._where, remedy="Archive again.")
        again = statement(data, self._where).receipt
        require_same(package, again, self._where)
        if again.archive_id != receipt.archive_id:
            what = f"the depository calls one package {receipt.archive_id!r} and {again.archive_id!r}"
            raise Untrue(what, where=self._where, remedy="Those who run it must say which one counts.")
        return Checked(files=len(package.parts), bytes=again.size, how="The command read it again and told its digest.")

    def probe(self) -> str:
        """Whether it can be started and answers."""
        self._run({"do": "probe", "username": self.username, "secret": self.secret})
        return f"{self.arguments[0]} can be started, and ended well."

    @property
    def _where(self) -> str:
        return shlex.join(self.arguments)[:500]

    def _asked(self, what: str, package: Package, answers: Mapping[str, str]) -> bytes:
        return self._run({
            "do": what, "key": package.key, "path": str(package.path.resolve()), "size": package.size,
            "sha512": package.sha512, "title": package.title, "identifier": package.identifier,
            "answers": dict(answers), "username": self.username, "secret": self.secret,
        })  # fmt: skip

    def _run(self, question: Mapping[str, object]) -> bytes:
        with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            asked.write(json.dumps(question).encode())
            asked.seek(0)
            code = self._waited(asked, out, err)
            if code != 0:
                words = _tail(err).replace(self.secret, "***") if self.secret else _tail(err)
                raise DepositRefused(f"the command ended with {code}: {words or 'it said nothing'}", where=self._where,
                              remedy="Mend that, then archive again.")  # fmt: skip
            out.seek(0)
            data = out.read(LONGEST + 1)
        if len(data) > LONGEST:
            raise Untrue("the command answers more than anybody reads", where=self._where, remedy="Let it say less.")
        return data

    def _waited(self, asked: BinaryIO, out: BinaryIO, err: BinaryIO) -> int:
        """Its exit code; it and what it started are ended when the time is over."""
        try:
            running = subprocess.Popen(
                self.arguments, stdin=asked, stdout=out, stderr=err, env=_SURROUNDINGS, start_new_session=True,
                close_fds=True,
            )  # fmt: skip
        except OSError as error:
            raise BadPlace(f"the command cannot be started: {error.strerror}", where=self._where,
                           remedy="Install it on every machine that runs agents.") from error  # fmt: skip
        try:
            return running.wait(self.timeout)
        except subprocess.TimeoutExpired as error:
            os.killpg(running.pid, signal.SIGKILL)  # it is not gathered yet, so the number is still its own
            running.wait()
            raise NoAnswer(f"the command did not end within {self.timeout:g} seconds", where=self._where,
                           remedy="It is tried again; allow it more time if it needs that.") from error  # fmt: skip


def _tail(stream: BinaryIO) -> str:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - 4 * _TAIL))
    text = stream.read().decode("utf-8", "replace").replace("\x00", "\N{REPLACEMENT CHARACTER}")
    return " ".join(text.split())[-_TAIL:]


def command_of(line: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a command line; `BadPlace` unless operators allow the program."""
    try:
        words = tuple(shlex.split(line))
    except ValueError as error:
        raise BadPlace(f"the command cannot be read: {error}", where=line[:500], remedy="Close the quotes.") from error
    if not words or words[0] not in allowed:
        remedy = "Name the program, with its whole path, in the setting deposit_commands."
        raise BadPlace("this program may not be started", where=line[:500], remedy=remedy)
    return words
