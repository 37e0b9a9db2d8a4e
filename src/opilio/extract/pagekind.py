"""Recognises pages that are not what was asked for: `blocked` (a wall against robots or strangers) and `soft-404`.

Tables of signals, each with the sentence that explains the verdict. Signals are strong ones, or weak ones on a page
that has little else to say: an article about CAPTCHAs must stay an article.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from opilio.extract.extracted import Extracted
from opilio.extract.page_types import PageType

SHORT = 1_500  # characters of main text below which a page has little else to say
_BARE = 600  # the same for signals that many ordinary pages carry


class Verdict(StrEnum):
    """What a page is instead of what was asked for; the values are outcomes of a crawl."""

    BLOCKED = "blocked"
    SOFT_404 = "soft-404"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """A verdict and the sentence that explains it."""

    verdict: Verdict
    evidence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """What the judgement rests on."""

    page: Extracted
    status: int
    headers: Mapping[str, str]  # names in lower case
    requested: str  # the URL that was asked for first
    url: str  # the URL that answered in the end


#: Headers that only a wall sends: name → pattern of the value.
_HEADERS: Final = (
    ("cf-mitigated", re.compile(r"challenge")),
    ("x-amzn-waf-action", re.compile(r"captcha|challenge")),
    ("x-sucuri-block", re.compile(r".")),
    ("x-dd-b", re.compile(r".")),
)
#: Resources that only challenge pages load; on ordinary pages they protect a form, so the text must be short too.
_CHALLENGE_URLS: Final = re.compile(
    r"/cdn-cgi/challenge-platform/|captcha-delivery\.com|_Incapsula_Resource|/px-captcha|/_sec/cp_challenge"
    r"|hcaptcha\.com/1/api\.js|/recaptcha/(?:api|enterprise)\.js|challenges\.cloudflare\.com|geo\.captcha|/\.ddos-guard/"
)
_EDGES: Final = " .!?…"
#: Whole titles of challenge and denial pages, case-folded, without the site's name and punctuation at the edges.
_WALL_TITLES: Final = frozenset(
    {
        "just a moment", "attention required", "one moment, please", "ddos-guard",
        "access denied", "access to this page has been denied", "pardon our interruption", "request rejected",
        "human verification", "security check", "are you a robot", "are you human", "verify you are human",
        "robot or human", "bot verification", "you have been blocked", "zugriff verweigert", "accès refusé",
        "acceso denegado", "403 forbidden", "forbidden", "unauthorized", "401 unauthorized",
    }
)  # fmt: skip
_WALL_WORDS: Final = re.compile(
    r"checking (?:if the site connection is secure|your browser before)|enable javascript and cookies to continue"
    r"|unusual traffic from your (?:computer )?network|verify(?:ing)? (?:that )?you are (?:a )?(?:human|not a robot)"
    r"|confirm (?:that )?you are (?:a )?(?:human|not a robot)|prove (?:that )?you are (?:human|not a robot)"
    r"|press (?:&|and) hold to confirm|you have been blocked|your (?:ip address|request) (?:has been|was) blocked"
    r"|incapsula incident id"
    r"|automated (?:access|requests) (?:to this site )?(?:is|are|has been|have been) (?:denied|blocked)"
    r"|(?:solve|complete) the (?:captcha|puzzle) (?:below )?to continue",
    re.IGNORECASE,
)
_LOGIN_WORDS: Final = re.compile(
    r"\b(?:log ?in|sign ?in|anmelden|einloggen|connexion|se connecter|iniciar sesión|accedi|inloggen|logga in)\b", re.I
)
_LOGIN_DEMANDS: Final = re.compile(
    r"(?:log|sign) ?in to (?:continue|view|see|read|access)|(?:you must|please) (?:log|sign) ?in|members only"
    r"|subscribe to (?:continue|read)|bitte (?:melden sie sich|loggen sie sich)|nur für mitglieder"
    r"|réservé aux (?:membres|abonnés)",
    re.IGNORECASE,
)
_LOGIN_PATH: Final = re.compile(
    r"/(?:[\w-]*(?:login|log-in|signin|sign-in|logon|sso)[\w-]*|auth(?:/|$)|anmelden|connexion)", re.I
)

#: Whole titles or headings of pages that say "not found".
_MISSING: Final = re.compile(
    r"(?:error:? ?|http ?|fehler ?|erreur ?)?(?:404|410)(?: error| not found|:? .{0,40}not (?:be )?found.{0,20})?"
    r"|(?:the |this |sorry,? ?|oops[!,.]? ?)*(?:page|file|document|article|item|record|entry|resource|content|product)"
    r"(?: you .{0,40})? (?:(?:was|could|can|is|has) ?(?:not|n't|no longer) ?(?:be |been )?(?:found|available|exist)"
    r"|can(?:not|'t|’t) be found|not found|does ?n[o'’]t exist|no longer exists|not available|unavailable)"
    r"|not found|nothing (?:was )?found|no such (?:page|item|entry|record)"
    r"|we (?:could not|couldn['’]t|can['’]t) find .{0,40}"
    r"|(?:die )?seite (?:wurde )?nicht gefunden|nicht gefunden|(?:cette )?page (?:introuvable|non trouvée)|introuvable"
    r"|página no encontrada|no encontrad[oa]|pagina non trovata|pagina niet gevonden|sidan hittades inte"
    r"|страница не найдена",
    re.IGNORECASE,
)
_MISSING_PATH: Final = re.compile(
    r"/(?:404|not-?found|page-?not-?found|error-?404|notfound)(?:\.\w+)?/?", re.IGNORECASE
)
_SEPARATOR: Final = re.compile(r"\s+[|–—·«»:-]\s+|\s*[|»]\s*|:\s+")


def judge(answered: Answered) -> Finding | None:
    """What is wrong with a page; None for an ordinary one. Only HTML is judged."""
    if answered.page.page_type is not PageType.HTML:
        return None
    return blocked(answered) or soft_404(answered)


def blocked(answered: Answered) -> Finding | None:
    """Whether a wall answered: a challenge, a denial, a demand to sign in."""
    evidence = _by_header(answered) or _by_challenge(answered) or _by_words(answered) or _by_login(answered)
    return Finding(verdict=Verdict.BLOCKED, evidence=evidence) if evidence else None


def soft_404(answered: Answered) -> Finding | None:
    """Whether a page says "not found" although its status says that all is well."""
    if answered.status != 200:
        return None
    page = answered.page
    path = urlsplit(answered.url).path
    if answered.url != answered.requested and _MISSING_PATH.fullmatch(path):
        return _missing(f"the request was redirected to {path[:80]}")
    if len(page.main_text) > SHORT:
        return None
    for part in _parts(page.title):
        if _MISSING.fullmatch(part):
            return _missing(f"the title says “{part[:80]}” with status 200")
    for heading in page.headings[:3]:
        if _MISSING.fullmatch(heading.text.strip(_EDGES)):
            return _missing(f"a heading says “{heading.text[:80]}” with status 200")
    return None


def _missing(evidence: str) -> Finding:
    return Finding(verdict=Verdict.SOFT_404, evidence=evidence)


def _by_header(answered: Answered) -> str:
    for name, pattern in _HEADERS:
        value = answered.headers.get(name, "")
        if value and pattern.search(value.lower()):
            return f"the header {name} says “{value[:60]}”"
    return ""


def _by_challenge(answered: Answered) -> str:
    if len(answered.page.main_text) > _BARE:
        return ""
    words = _wall_words(answered.page)
    for link in answered.page.links:
        found = _CHALLENGE_URLS.search(link.url)
        if found and (words or answered.status in (403, 429, 503) or _wall_title(answered.page)):
            return f"a short page loads a challenge ({found[0]})"
    return ""


def _by_words(answered: Answered) -> str:
    """A title or a sentence of a wall, on a page with little else, and a status that fits."""
    page = answered.page
    title = _wall_title(page)
    refused = answered.status in (401, 403, 405, 406, 429, 503)
    if title and len(page.main_text) <= SHORT and (refused or _wall_words(page)):
        return f"the title says “{title}”"
    words = _wall_words(page)
    if words and (refused or len(page.main_text) <= _BARE):
        return f"a page with little else says “{words}”"
    return ""


def _by_login(answered: Answered) -> str:
    """A page that asks for a password where another page was asked for."""
    page = answered.page
    if not page.asks_password or len(page.main_text) > SHORT or _LOGIN_PATH.search(urlsplit(answered.requested).path):
        return ""
    if answered.url != answered.requested and _LOGIN_PATH.search(urlsplit(answered.url).path):
        return f"the request was redirected to a page that asks for a password ({urlsplit(answered.url).path[:80]})"
    demand = _LOGIN_DEMANDS.search(page.main_text)
    titles = [page.title, *(heading.text for heading in page.headings[:2])]
    if demand and any(_LOGIN_WORDS.search(title) for title in titles):
        return f"a page that asks for a password says “{demand[0]}”"
    return ""


def _wall_title(page: Extracted) -> str:
    return next((part for part in _parts(page.title) if part.casefold().strip(_EDGES) in _WALL_TITLES), "")


def _wall_words(page: Extracted) -> str:
    if len(page.main_text) > SHORT:
        return ""
    found = _WALL_WORDS.search(f"{page.main_text}\n{page.text[:SHORT]}")
    return found[0] if found else ""


def _parts(title: str) -> list[str]:
    """A title, whole and in the parts around its separators: the site's name is one of them."""
    whole = title.strip()
    return [whole, *(part.strip(_EDGES) for part in _SEPARATOR.split(whole) if part.strip(_EDGES))] if whole else []
