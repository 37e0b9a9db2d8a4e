"""A server that takes deposits by HTTP, much as SWORD does: a package is posted with its digest, and stated on asking.

`GET PLACE/KEY` states what there is under a key, or answers 404; `POST PLACE` hands a package over. Both state it as
`statements` says. A server that was given a key before must answer with what it has.
"""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from opilio.works.depositories.errors import DepositRefused, NoAnswer, Untrue
from opilio.works.depositories.exchange import Answer, Exchange
from opilio.works.depositories.statements import Statement, statement
from opilio.works.depositories.values import Checked, Package, Receipt, Told, require_same

_NOT_THERE = (404, 410)
_TAKEN = (200, 201)
_LATER = 202
_THERE_ALREADY = 409
_BAG = "http://purl.org/net/sword/package/BagIt"


@dataclass(frozen=True, kw_only=True)
class HttpDepository:
    """One collection of one server."""

    place: str  # https://archive.example/deposits
    exchange: Exchange

    def find(self, package: Package) -> Receipt | None:
        """What the server states of the key."""
        found = self._stated(package)
        return found.receipt if found else None

    def deposit(self, package: Package, answers: Mapping[str, str], told: Told) -> Receipt:
        """Post it. An answer that got lost is found by asking for the key, never by posting again."""
        answer = self.exchange.post(self.place, package.path, _headers(package), told)
        if answer.status in _TAKEN:
            return statement(answer.body, self.place).receipt
        if answer.status == _THERE_ALREADY and (found := self._stated(package)) is not None:
            return found.receipt
        if answer.status == _LATER:
            raise NoAnswer("the depository took the package and is not done with it", where=self.place,
                           remedy="It is asked again.")  # fmt: skip
        raise _refusal(answer, self.place)

    def check(self, package: Package, receipt: Receipt, told: Told) -> Checked:
        """Ask again, and read the bytes where the server tells where they are."""
        found = self._stated(package)
        if found is None:
            raise Untrue("the depository has nothing under the key", where=self._address(package),
                         remedy="Ask those who run it what became of the package.")  # fmt: skip
        require_same(package, found.receipt, self._address(package))
        if found.receipt.archive_id != receipt.archive_id:
            what = f"the depository calls one package {receipt.archive_id!r} and {found.receipt.archive_id!r}"
            raise Untrue(what, where=self._address(package), remedy="Those who run it must say which one counts.")
        if not found.content:
            return Checked(files=1, bytes=found.receipt.size, how="The server stated size and digest again.")
        self._read_again(package, found, told)
        return Checked(files=1, bytes=package.size, how="The package was read again from the server.")

    def probe(self) -> str:
        """Whether the server answers, and knows nothing of a key that nobody has."""
        answer = self.exchange.get(f"{self.place.rstrip('/')}/opilio-probe")
        if answer.status not in (*_NOT_THERE, *_TAKEN):
            raise _refusal(answer, self.place)
        return f"The server answers ({answer.status})."

    def _read_again(self, package: Package, found: Statement, told: Told) -> None:
        url = urljoin(self._address(package), found.content)
        if urlsplit(url)[:2] != urlsplit(self.place)[:2]:
            raise Untrue("the bytes are said to be at another server", where=url[:500],
                         remedy="A depository must hold what it was given.")  # fmt: skip
        digest, size = hashlib.sha512(usedforsecurity=False), 0

        def into(data: bytes) -> None:
            nonlocal size
            digest.update(data)
            size += len(data)

        told("reading again", 0, package.size)
        answer = self.exchange.get(url, into=into)
        if answer.status != 200:
            raise _refusal(answer, url)
        if (size, digest.hexdigest()) != (package.size, package.sha512):
            what = f"the depository gives back {size} bytes that are not the package of {package.size}"
            raise Untrue(what, where=url, remedy="Ask those who run it to remove what it has, then archive again.")

    def _stated(self, package: Package) -> Statement | None:
        answer = self.exchange.get(self._address(package))
        if answer.status in _NOT_THERE:
            return None
        if answer.status == _LATER:
            raise NoAnswer("the depository is not done with the package", where=self._address(package),
                           remedy="It is asked again.")  # fmt: skip
        if answer.status not in _TAKEN:
            raise _refusal(answer, self._address(package))
        return statement(answer.body, self._address(package))

    def _address(self, package: Package) -> str:
        return f"{self.place.rstrip('/')}/{quote(package.key, safe='')}"


def _headers(package: Package) -> dict[str, str]:
    digest = base64.b64encode(bytes.fromhex(package.sha512)).decode()
    kind = {"Packaging": _BAG} if package.media_type == "application/zip" else {}
    return {
        "Content-Type": package.media_type,
        "Content-Disposition": f'attachment; filename="{package.path.name}"',
        "Digest": f"SHA-512={digest}",
        "Repr-Digest": f"sha-512=:{digest}:",
        "Idempotency-Key": package.key,
        "Slug": package.key,
        "In-Progress": "false",
        **kind,
    }


def _refusal(answer: Answer, where: str) -> NoAnswer | DepositRefused:
    words = " ".join(answer.body[:2_000].decode("utf-8", "replace").split()).replace("\x00", "")[:500]
    what = f"the depository answers {answer.status}{': ' + words if words else ''}"
    if answer.status >= 500 or answer.status == 429:
        return NoAnswer(what, where=where, remedy="It is tried again.")
    if 300 <= answer.status < 400:
        return DepositRefused(
            what, where=where, remedy="Redirects are not followed: write the address that it leads to."
        )
    return DepositRefused(what, where=where, remedy="Mend what it says, then archive again.")
