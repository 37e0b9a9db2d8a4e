"""Areas behind basic (RFC 7617) and digest (RFC 7616) authentication; every path below the area is protected."""

import base64
import hashlib
import re
import secrets

from tests.servers.answers import Response, link, page
from tests.servers.behaviour import Behaviour, Visit

USER = "curator"
PASSWORD = "straw & hay: 7"
REALM = "Granary"
PAGES = 3  # pages behind each login

_DIGESTS = {"MD5": "md5", "SHA-256": "sha256"}
_PARAMETER = re.compile(r'([A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))')


def _inside(area: str) -> Response:
    links = " ".join(link(f"{area}/{number}", f"room {number}") for number in range(PAGES))
    return page("Granary", f"<p>Only for those who signed in. {links}</p>")


def basic(visit: Visit) -> Response:
    """Basic authentication."""
    sent = (visit.request.header("Authorization") or "").split(" ")
    wanted = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    if [sent[0].lower(), *sent[1:]] == ["basic", wanted]:
        return _inside("/login/basic")
    challenge = ("WWW-Authenticate", f'Basic realm="{REALM}", charset="UTF-8"')
    return page("Sign in", "<p>Who are you?</p>", status=401, headers=(challenge,))


def digest_fields(header: str) -> dict[str, str]:
    """The parameters of a digest header; empty when it is of another scheme."""
    scheme, _, rest = header.partition(" ")
    if scheme.lower() != "digest":
        return {}
    return {name.lower(): re.sub(r"\\(.)", r"\1", quoted) or bare for name, quoted, bare in _PARAMETER.findall(rest)}


def digest_response(fields: dict[str, str], *, method: str, algorithm: str) -> str:
    """What the client must answer (RFC 7616 §3.4.1, qop=auth)."""

    def hashed(*parts: str) -> str:
        return hashlib.new(_DIGESTS[algorithm], ":".join(parts).encode(), usedforsecurity=False).hexdigest()

    secret = hashed(USER, REALM, PASSWORD)
    asked = hashed(method, fields.get("uri", ""))
    middle = (fields.get(name, "") for name in ("nonce", "nc", "cnonce", "qop"))
    return hashed(secret, *middle, asked)


def _is_right(visit: Visit, fields: dict[str, str], algorithm: str) -> bool:
    """Whether the client knows the password, leaving aside how old its nonce is."""
    expected = {"username": USER, "realm": REALM, "uri": visit.request.target, "qop": "auth"}
    if any(fields.get(name) != value for name, value in expected.items()) or not fields.get("cnonce"):
        return False
    if fields.get("algorithm", "MD5").upper() != algorithm or not re.fullmatch("[0-9a-f]{8}", fields.get("nc", "")):
        return False
    return fields.get("response") == digest_response(fields, method=visit.request.method, algorithm=algorithm)


def _is_fresh(visit: Visit, fields: dict[str, str]) -> bool:
    """Whether the nonce is ours, not used up (`uses`), and this count of it is new; notes the use."""
    used = visit.memory.nonces.get(fields["nonce"])
    count = int(fields["nc"], 16)
    if used is None or len(used) >= visit.number("uses", 1 << 30, low=1) or count <= max(used, default=0):
        return False
    used.append(count)
    return True


def _challenge(visit: Visit, algorithm: str, *, stale: bool) -> tuple[str, str]:
    nonce = secrets.token_urlsafe(18)
    visit.memory.nonces[nonce] = []
    value = f'Digest realm="{REALM}", qop="auth", algorithm={algorithm}, nonce="{nonce}", opaque="sheaf"'
    return "WWW-Authenticate", value + (", stale=true" if stale else "")


def _digest(visit: Visit, area: str, algorithms: tuple[str, ...]) -> Response:
    fields = digest_fields(visit.request.header("Authorization") or "")
    right = any(_is_right(visit, fields, algorithm) for algorithm in algorithms)
    if right and _is_fresh(visit, fields):
        return _inside(area)
    challenges = tuple(_challenge(visit, algorithm, stale=right) for algorithm in algorithms)
    return page("Sign in", "<p>Who are you?</p>", status=401, headers=challenges)


def digest_md5(visit: Visit) -> Response:
    """Digest authentication with MD5; a nonce is stale after `uses` requests."""
    return _digest(visit, "/login/digest/md5", ("MD5",))


def digest_sha256(visit: Visit) -> Response:
    """Digest authentication with SHA-256; a nonce is stale after `uses` requests."""
    return _digest(visit, "/login/digest/sha-256", ("SHA-256",))


def digest_both(visit: Visit) -> Response:
    """Digest authentication that offers SHA-256 first and MD5 second."""
    return _digest(visit, "/login/digest/both", ("SHA-256", "MD5"))


BEHAVIOURS = (
    Behaviour(name="basic-login", path="/login/basic", answer=basic),
    Behaviour(name="digest-md5-login", path="/login/digest/md5", example="/login/digest/md5?uses=2", answer=digest_md5),
    Behaviour(name="digest-sha-256-login", path="/login/digest/sha-256", answer=digest_sha256),
    Behaviour(name="digest-both-login", path="/login/digest/both", answer=digest_both),
)
