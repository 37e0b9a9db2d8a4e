"""Single sign-on by OpenID Connect: authorization code flow with PKCE, state and nonce; ends in a user name.

Knows neither request nor session: whoever uses it keeps the `Flight` between the two steps. Needs the optional
libraries httpx and joserfc (`pip install 'opilio[oidc]'`). Defined by OpenID Connect Core 1.0 §3.1, RFC 7636, RFC 9207.
"""

import hashlib
import json
import secrets
import ssl
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import BadSetting, Unavailable
from opilio.kernel.settings import Settings
from opilio.people import audit
from opilio.people.actor import Actor
from opilio.people.errors import SignInRefused

try:
    import httpx
    from joserfc import errors as jose
    from joserfc import jwk, jwt
except ImportError:
    httpx = None  # type: ignore[assignment]  # stands for the missing extra

TIMEOUT = 10.0  # seconds for one answer of the provider
LIFETIME = 600.0  # seconds that a user may spend at the provider
_LEEWAY = 60  # seconds by which its clock and ours may differ
_LARGEST = 1_048_576  # bytes of an answer
_LONGEST_NAME = 150  # characters
_SCOPES = "openid profile email"
#: Signatures with the provider's private key only: neither none nor HMAC, which other keys could forge.
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_KEY_TYPES = ("RSA", "EC", "OKP")  # with a private and a public half
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
_REMEDY = "Try again; if it happens again, tell an administrator."


@dataclass(frozen=True, kw_only=True)
class Provider:
    """The provider as the settings describe it."""

    issuer: str
    client_id: str
    client_secret: str  # empty: a public client
    username_claim: str


@dataclass(frozen=True, kw_only=True)
class Flight:
    """What must be remembered, on our side only, while a user is away at the provider."""

    state: str
    nonce: str
    verifier: str
    began: float  # seconds since 1970


def provider_from(settings: Settings) -> Provider | None:
    """The provider that the settings name; None when they name none. Settings that cannot work are an error."""
    if not settings.oidc_issuer:
        return None
    if httpx is None:
        raise _bad("oidc_issuer", "is set, but httpx or joserfc is not installed", "Run `pip install 'opilio[oidc]'`.")
    if not _trustworthy(settings.oidc_issuer) or urlsplit(settings.oidc_issuer).query:
        raise _bad("oidc_issuer", "must be an https address", "Write it as the provider's documents name it.")
    for name in ("oidc_client_id", "oidc_username_claim"):
        if not getattr(settings, name):
            raise _bad(name, "must be set with oidc_issuer", "The provider tells it to whoever registers there.")
    return Provider(
        issuer=settings.oidc_issuer, client_id=settings.oidc_client_id, client_secret=settings.oidc_client_secret,
        username_claim=settings.oidc_username_claim,
    )  # fmt: skip


def note_refusal(actor: Actor, words: str) -> None:
    """Tell the audit log that a single sign-on failed before anybody's name was known."""
    audit.write(actor, action="signin.refuse", subject_type="user", message=f"Single sign-on: {words}")


class OidcClient:
    """Speaks to one provider. Raises SignInRefused for what it says, Unavailable for what it fails to say."""

    def __init__(self, provider: Provider, *, clock: Clock = SYSTEM, timeout: float = TIMEOUT) -> None:
        self._provider = provider
        self._clock = clock
        self._timeout = timeout

    def begin(self, return_url: str) -> tuple[str, Flight]:
        """Where to send the browser, and what to remember until it is back."""
        flight = Flight(
            state=secrets.token_urlsafe(32), nonce=secrets.token_urlsafe(32), verifier=secrets.token_urlsafe(48),
            began=self._clock.now().timestamp(),
        )  # fmt: skip
        asked = {
            "response_type": "code", "client_id": self._provider.client_id, "redirect_uri": return_url,
            "scope": _SCOPES, "state": flight.state, "nonce": flight.nonce, "code_challenge_method": "S256",
            "code_challenge": _challenge(flight.verifier),
        }  # fmt: skip
        address = self._metadata()["authorization_endpoint"]
        return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(asked)}", flight

    def finish(self, flight: Flight, answer: Mapping[str, str], return_url: str) -> str:
        """The name of the user whom the provider vouches for, from what the browser brought back."""
        code = self._code(flight, answer)
        metadata = self._metadata()
        token = self._id_token(metadata, code, flight, return_url)
        return self._username(self._claims(metadata, token, flight))

    def _code(self, flight: Flight, answer: Mapping[str, str]) -> str:
        if not _same(answer.get("state", ""), flight.state):
            raise self._refused("The answer does not belong to the sign-in that this browser began")
        if self._clock.now().timestamp() - flight.began > LIFETIME:
            raise self._refused("The sign-in took too long")
        if answer.get("iss", self._provider.issuer) != self._provider.issuer:
            raise self._refused("The answer comes from another provider")
        if "error" in answer:
            words = answer.get("error_description") or answer["error"]
            raise self._refused(f"The provider did not let you in: {words[:200]}")
        if not answer.get("code"):
            raise self._refused("The answer of the provider holds no code")
        return answer["code"]

    def _metadata(self) -> dict[str, Any]:
        """The discovery document, which must speak for the issuer that the settings name."""
        found = self._document(f"{self._provider.issuer.rstrip('/')}/.well-known/openid-configuration")
        if found.get("issuer") != self._provider.issuer:
            raise self._unusable(f"it calls itself {str(found.get('issuer'))[:200]!r}")
        for name in _ENDPOINTS:
            if not isinstance(found.get(name), str) or not _trustworthy(found[name]):
                raise self._unusable(f"its {name} is no https address")
        return found

    def _id_token(self, metadata: Mapping[str, Any], code: str, flight: Flight, return_url: str) -> str:
        form = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": return_url,
            "code_verifier": flight.verifier,
        }  # fmt: skip
        login, form = _authenticated(self._provider, metadata, form)
        status, answer = self._fetch("POST", metadata["token_endpoint"], data=form, auth=login)
        if status != 200:
            raise self._refused(f"The provider did not redeem its code: {str(answer.get('error', status))[:200]}")
        if not isinstance(answer.get("id_token"), str):
            raise self._refused("The provider sent no ID token")
        return str(answer["id_token"])

    def _claims(self, metadata: Mapping[str, Any], token: str, flight: Flight) -> Mapping[str, Any]:
        """The claims of a token that is signed by the provider, meant for us, fresh, and of this flight."""
        keys = jwk.KeySet(_keys(self._document(metadata["jwks_uri"])))
        rules = self._rules()
        try:
            claims = jwt.decode(token, keys, algorithms=_ALGORITHMS).claims
            rules.validate(claims)
        except jose.ExpiredTokenError as error:
            raise self._refused("The ID token has expired; do the clocks agree?") from error
        except jose.ClaimError as error:
            raise self._refused(f"The ID token has a wrong or missing claim {error.claim}") from error
        except (jose.JoseError, ValueError, TypeError, LookupError) as error:
            raise self._refused("The ID token is not signed by the provider in a way that is accepted") from error
        self._check_flight(claims, flight)
        return claims

    def _rules(self) -> "jwt.JWTClaimsRegistry":
        must: jwt.ClaimsOption = {"essential": True}
        return jwt.JWTClaimsRegistry(
            now=int(self._clock.now().timestamp()), leeway=_LEEWAY, exp=must, iat=must, sub=must,
            iss={"essential": True, "value": self._provider.issuer},
            aud={"essential": True, "value": self._provider.client_id},
        )  # fmt: skip

    def _check_flight(self, claims: Mapping[str, Any], flight: Flight) -> None:
        if not isinstance(claims.get("nonce"), str) or not _same(claims["nonce"], flight.nonce):
            raise self._refused("The ID token was made for another sign-in: a wrong or missing claim nonce")
        several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if claims.get("azp", "" if several else self._provider.client_id) != self._provider.client_id:
            raise self._refused("The ID token was made for another party: a wrong or missing claim azp")

    def _username(self, claims: Mapping[str, Any]) -> str:
        name = claims.get(self._provider.username_claim)
        if not isinstance(name, str) or not 0 < len(name.strip()) <= _LONGEST_NAME or not name.isprintable():
            raise self._refused(f"The provider sends no user name in the claim {self._provider.username_claim}")
        return name.strip()

    def _document(self, url: str) -> dict[str, Any]:
        status, found = self._fetch("GET", url)
        if status != 200:
            raise self._unusable(f"{url} answered {status}")
        return found

    def _fetch(self, method: str, url: str, **sent: Any) -> tuple[int, dict[str, Any]]:
        """Status and JSON object of an answer, bounded in size and time."""
        end = self._clock.monotonic() + self._timeout
        body = bytearray()
        try:
            with (
                httpx.Client(timeout=self._timeout, verify=ssl.create_default_context()) as client,
                client.stream(method, url, headers={"Accept": "application/json"}, **sent) as response,
            ):
                for part in response.iter_bytes():
                    body += part
                    if len(body) > _LARGEST or self._clock.monotonic() > end:
                        raise self._unusable(f"{url} answers without end")
                status = response.status_code
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise self._unusable(f"{url} does not answer: {type(error).__name__} {error}"[:400]) from error
        return status, self._parsed(url, status, bytes(body))

    def _parsed(self, url: str, status: int, body: bytes) -> dict[str, Any]:
        try:
            found = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise self._unusable(f"{url} answered {status} without JSON") from error
        if not isinstance(found, dict) or status >= 500:
            raise self._unusable(f"{url} answered {status} with what is no use")
        return found

    def _refused(self, what: str) -> SignInRefused:
        return SignInRefused(what, where=self._provider.issuer, remedy=_REMEDY)

    def _unusable(self, what: str) -> Unavailable:
        return Unavailable(f"Single sign-on is not available: {what}", where=self._provider.issuer, remedy=_REMEDY)


def _authenticated(provider: Provider, metadata: Mapping[str, Any], form: dict[str, str]) -> tuple[Any, dict[str, str]]:
    """How this installation proves to the provider who it is (RFC 6749 §2.3.1)."""
    if not provider.client_secret:
        return None, {**form, "client_id": provider.client_id}
    offered = metadata.get("token_endpoint_auth_methods_supported")
    if isinstance(offered, list) and "client_secret_basic" not in offered and "client_secret_post" in offered:
        return None, {**form, "client_id": provider.client_id, "client_secret": provider.client_secret}
    return httpx.BasicAuth(quote_plus(provider.client_id), quote_plus(provider.client_secret)), form


def _keys(document: Mapping[str, Any]) -> list[Any]:
    """The provider's keys, without those of a kind that we do not know."""
    listed = document.get("keys")
    found = []
    for one in listed if isinstance(listed, list) else []:
        if not isinstance(one, dict) or one.get("kty") not in _KEY_TYPES:
            continue
        try:
            found.append(jwk.import_key(one))
        except (jose.JoseError, ValueError, TypeError, LookupError, AttributeError):
            continue
    return found


def _same(given: str, expected: str) -> bool:
    """Compared in a time that tells nothing."""
    return secrets.compare_digest(given.encode("utf-8", "surrogatepass"), expected.encode("utf-8"))


def _challenge(verifier: str) -> str:
    return urlsafe_b64encode(hashlib.sha256(verifier.encode("ascii")).digest()).decode("ascii").rstrip("=")


def _trustworthy(url: str) -> bool:
    """Whether what is said to this address stays secret: https, or this very machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and host in _THIS_MACHINE))


def _bad(name: str, what: str, remedy: str) -> BadSetting:
    return BadSetting(f"Setting {name} {what}", where=name, remedy=remedy)
