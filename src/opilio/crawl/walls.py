"""Recognises answers that stand in for the page: challenges and bans of protective services, and pages to sign in.

Also pages that say "not found" with a status of success. Both are told by few, plain signs: a page that is wrongly
called a wall is lost to the reader, so what is long or lacks a clear sign counts as a page.
"""

import re
from collections.abc import Sequence

import re2

from opilio.crawl.fetch.head import Head
from opilio.extract.extracted import Extracted

_SHORT = 3_000  # characters of text; a wall or an error page says little
_CHALLENGE_HEADERS = (("cf-mitigated", "challenge"), ("x-amzn-waf-action", ""), ("x-sucuri-block", ""))
_WALL_TITLE = re.compile(
    r"(?i)^(just a moment|attention required|access (to this page has been )?denied|verify you are human|"
    r"are you a robot|robot check|security check|pardon our interruption|ddos-guard|checking your browser|"
    r"request (rejected|blocked)|you have been blocked|human verification)"
)
#: RE2, because it reads a page in a tenth of the time that `re` takes.
_WALL_MARK = re2.compile(
    rb"(?i)cdn-cgi/challenge-platform|_incapsula_resource|captcha-delivery\.com|px-captcha|awswafcaptcha|"
    rb"ddos-guard/js-challenge|/distil_r_captcha"
)
_NOT_FOUND = re.compile(
    r"(?i)\b(page|file|document|item|object|record|article|url|address|seite|objekt|fichier|p[aá]gina)\b[^.!?]{0,40}"
    r"\b(not found|not be found|cannot be found|could not be found|does not exist|doesn.t exist|"
    r"nicht gefunden|existiert nicht|introuvable|no encontrada|non trovata|niet gevonden)\b"
    r"|^(\W*(error\s*)?404\b|not found\b|nothing found\b|nicht gefunden\b|page introuvable\b)"
    r"|\bno such (page|item|object|record|document|entry)\b"
)


def is_wall(head: Head, content: bytes, read: Extracted | None) -> bool:
    """Whether the answer is a wall."""
    for name, word in _CHALLENGE_HEADERS:
        value = head.get(name)
        if value is not None and word in value.lower():
            return True
    if read is None or len(read.text) > _SHORT:
        return False
    return _WALL_TITLE.match(read.title.strip()) is not None or _WALL_MARK.search(content) is not None


def says_not_found(read: Extracted) -> bool:
    """Whether a page tells its reader, in its title or a heading, that there is nothing here."""
    if len(read.text) > _SHORT:
        return False
    return any(_NOT_FOUND.search(text.strip()) for text in _loud(read))


def _loud(read: Extracted) -> Sequence[str]:
    """What a page says first: title and the headings of its upper two levels."""
    return [read.title[:300], *(heading.text[:300] for heading in read.headings[:5] if heading.level <= 2)]
