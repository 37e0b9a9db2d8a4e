"""Digest authentication (RFC 7616): MD5, SHA-256 and SHA-512-256, each also as -sess; qop auth and auth-int."""

import hashlib
import secrets
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from opilio.crawl.fetch.exchange import Header
from opilio.crawl.fetch.head import Head
from opilio.crawl.logins.authenticator import AGAIN, AUTHORIZATION, Meaning, Refusal, chosen
from opilio.crawl.logins.challenge import Challenge, challenges
from opilio.crawl.logins.credential import Digest

_HASHES = {"md5": "md5", "sha-256": "sha256", "sha-512-256": "sha512_256"}
_SESSION = "-sess"


@dataclass(kw_only=True, slots=True)
class _Nonce:
    """What the server asked last, and how often it was answered."""

    realm: str
    value: str
    opaque: str | None
    algorithm: str  # as the server wrote it; empty: none named, which means MD5
    qops: tuple[str, ...]
    user_hashed: bool
    client: str  # our own nonce
    root: str  # nonce and client nonce of the first answer, which -sess keeps
    count: int = 0


class DigestAuthenticator:
    """Answers the last challenge with a count that grows, until the server names another nonce."""

    def __init__(self, way: Digest, *, client_nonce: Callable[[], str] = lambda: secrets.token_urlsafe(18)) -> None:
        self._user = unicodedata.normalize("NFC", way.user)
        self._password = unicodedata.normalize("NFC", way.password)
        self._realm = way.realm
        self._client_nonce = client_nonce
        self._nonce: _Nonce | None = None

    def headers(self, method: str, url: str, body: bytes | None) -> tuple[Header, ...]:
        nonce = self._nonce
        if nonce is None:
            return ()
        nonce.count += 1
        fields = self._fields(nonce, method, _target(url), body or b"")
        value = f"Digest {', '.join(fields)}"
        return ((AUTHORIZATION, value.encode().decode("latin-1")),)  # headers are bytes in the guise of Latin-1

    def refused(self, asked: Sequence[Challenge], *, sent: bool) -> Refusal:
        fit, refusal = chosen(asked, ("digest",), self._realm)
        if not fit:
            return refusal
        usable = next((each for each in fit if _usable(each)), None)
        if usable is None:
            return Refusal(meaning=Meaning.FOREIGN, reason="status 401 with a digest challenge that nobody can answer")
        self._nonce = self._taken(usable)
        if sent and usable.parameters.get("stale", "").lower() != "true":
            reason = f"status 401: user or password was not accepted for the realm “{usable.realm[:80]}”"
            return Refusal(meaning=Meaning.REJECTED, reason=reason)
        return AGAIN

    def accepted(self, head: Head) -> None:
        """The server may name the nonce that it wants next (§3.5)."""
        told = challenges(f"info {value}" for value in head.all("authentication-info"))
        following = told[0].parameters.get("nextnonce") if told else None
        if following and self._nonce is not None and following != self._nonce.value:
            self._nonce.value, self._nonce.count = following, 0

    def broken(self) -> None:
        """A nonce outlives its connection."""

    def _taken(self, challenge: Challenge) -> _Nonce:
        given = challenge.parameters
        client = self._client_nonce()
        return _Nonce(
            realm=challenge.realm,
            value=given["nonce"],
            opaque=given.get("opaque"),
            algorithm=given.get("algorithm", ""),
            qops=_qops(challenge),
            user_hashed=given.get("userhash", "").lower() == "true",
            client=client,
            root=f"{given['nonce']}:{client}",
        )

    def _fields(self, nonce: _Nonce, method: str, target: str, body: bytes) -> list[str]:
        hashed = _hash(nonce.algorithm)
        qop = _qop(nonce.qops, body)
        fields = [
            *self._names(nonce, hashed),
            f'realm="{_quoted(nonce.realm)}"',
            f'nonce="{_quoted(nonce.value)}"',
            f'uri="{_quoted(target)}"',
            f'response="{self._response(nonce, qop, method, target, body)}"',
        ]
        if nonce.algorithm:
            fields.append(f"algorithm={nonce.algorithm}")
        if nonce.opaque is not None:
            fields.append(f'opaque="{_quoted(nonce.opaque)}"')
        if qop:
            fields += [f"qop={qop}", f"nc={nonce.count:08x}", f'cnonce="{nonce.client}"']
        return fields

    def _names(self, nonce: _Nonce, hashed: Callable[[str], str]) -> list[str]:
        if nonce.user_hashed:
            return [f'username="{hashed(f"{self._user}:{nonce.realm}")}"', "userhash=true"]
        if self._user.isascii():
            return [f'username="{_quoted(self._user)}"']
        return [f"username*=UTF-8''{quote(self._user, safe='')}"]

    def _response(self, nonce: _Nonce, qop: str, method: str, target: str, body: bytes) -> str:
        hashed = _hash(nonce.algorithm)
        secret = hashed(f"{self._user}:{nonce.realm}:{self._password}")
        if nonce.algorithm.lower().endswith(_SESSION):
            secret = hashed(f"{secret}:{nonce.root}")
        asked = f"{method}:{target}"
        if qop == "auth-int":
            asked = f"{asked}:{_digest(nonce.algorithm, body)}"
        if not qop:
            return hashed(f"{secret}:{nonce.value}:{hashed(asked)}")
        return hashed(f"{secret}:{nonce.value}:{nonce.count:08x}:{nonce.client}:{qop}:{hashed(asked)}")


def _usable(challenge: Challenge) -> bool:
    """Whether we know its hash, and how it is to be used."""
    given = challenge.parameters
    name = given.get("algorithm", "md5").lower().removesuffix(_SESSION)
    known = _HASHES.get(name) in hashlib.algorithms_available
    return known and bool(given.get("nonce")) and (not given.get("qop") or bool(_qops(challenge)))


def _qops(challenge: Challenge) -> tuple[str, ...]:
    offered = [word.strip().lower() for word in challenge.parameters.get("qop", "").split(",")]
    return tuple(word for word in ("auth", "auth-int") if word in offered)


def _qop(offered: tuple[str, ...], body: bytes) -> str:
    """With a body, its protection is taken where it is offered."""
    if body and "auth-int" in offered:
        return "auth-int"
    return offered[0] if offered else ""


def _hash(algorithm: str) -> Callable[[str], str]:
    return lambda text: _digest(algorithm, text.encode())


def _digest(algorithm: str, data: bytes) -> str:
    name = _HASHES[(algorithm or "md5").lower().removesuffix(_SESSION)]
    return hashlib.new(name, data, usedforsecurity=False).hexdigest()


def _target(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
