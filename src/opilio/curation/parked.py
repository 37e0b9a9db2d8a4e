"""Recognises pages that stand where a site has been: a domain for sale, parked, or not yet used. Pure.

A page with much text of its own is never called parked, whatever words it uses.
"""

import re
from urllib.parse import urlsplit

_SHORT = 2_500  # characters of text
#: Hosts of traders and parking services: a domain that leads there has no site any more.
_TRADERS = frozenset(
    {
        "sedo.com", "sedoparking.com", "dan.com", "afternic.com", "hugedomains.com", "parkingcrew.net", "bodis.com",
        "above.com", "undeveloped.com", "domainmarket.com", "buydomains.com", "parklogic.com", "namebright.com",
    }
)  # fmt: skip
#: Words that only such pages say.
_PLAIN = re.compile(
    "|".join(
        (
            r"(?:this |the )?domain(?: name)?(?: \S{3,80}\.\S{2,20})? (?:is|may be|could be) (?:still )?"
            r"(?:for sale|available for (?:sale|purchase)|parked)",
            r"buy this domain", r"domain parking", r"parked (?:domain|free|by|at)", r"inquire about this domain",
            r"make an offer on this domain", r"(?:this|the) (?:domain|web ?site) has expired",
            r"(?:this|the) domain (?:has|was) (?:recently )?(?:been )?(?:registered|parked)",
            r"domain (?:steht|ist) zum verkauf", r"diese domain (?:kaufen|ist geparkt)",
            r"ce (?:nom de )?domaine est (?:à vendre|en vente|réservé)",
            r"este dominio está (?:en venta|a la venta|aparcado)", r"questo dominio è in vendita",
            r"dit domein is te koop",
        )
    ),
    re.IGNORECASE,
)  # fmt: skip
#: Words that such pages say and others too; two of them count.
_HINTS = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        r"related searches|related links|sponsored listings", r"privacy policy", r"\bfor sale\b|\bzu verkaufen\b",
        r"\bdomains?\b", r"webmaster|registrar|hosting", r"future home of|coming soon|under construction",
    )
)  # fmt: skip
_ENOUGH_HINTS = 3
_BARE = 400  # characters below which hints count


def parked(*, url: str, title: str, text: str) -> str:
    """Why a page is taken for a parked one; empty when it is not."""
    if trader := _trader(url):
        return f"it leads to {trader}, where domains are traded"
    said = f"{title[:300]}\n{text}"
    if len(text.strip()) > _SHORT:
        return ""
    if found := _PLAIN.search(said):
        return f"the page says “{' '.join(found[0].split())[:120]}”"
    hints = [found[0] for hint in _HINTS if (found := hint.search(said))]
    if len(text.strip()) <= _BARE and len(hints) >= _ENOUGH_HINTS:
        return f"the page says little but “{'”, “'.join(hints[:4])}”"
    return ""


def _trader(url: str) -> str:
    try:
        host = (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""
    return next((name for name in sorted(_TRADERS) if host == name or host.endswith(f".{name}")), "")
