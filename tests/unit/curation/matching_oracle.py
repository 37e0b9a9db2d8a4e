"""A second opinion on URL patterns: the standard library, the idna package and one regular expression for each pattern.

Nothing of Opilio is used. It reads well-formed patterns and URLs only.
"""

import ipaddress
import posixpath
import re
from datetime import date
from urllib.parse import unquote_to_bytes, urlsplit

import idna

_KEPT = set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()+,;=:@/?")


def matches(case, today):
    """Whether a seed with the case's URL is to be linked to its permission."""
    ended = case["ends"] and date.fromisoformat(case["ends"]) < today
    if ended or case["active"] == "no" or case["agency"] == "other":
        return False
    if case["exclusion"] and covers(case["exclusion"], case["url"]):
        return False
    return covers(case["pattern"], case["url"], strict=case["strict_scheme"] == "yes")


def allows(case, today):
    """Whether the permission would let it be collected today."""
    return matches(case, today) and case["status"] == "approved" and date.fromisoformat(case["starts"]) <= today


def covers(pattern, url, *, strict=False):
    """Whether the regular expression made of the pattern finds one of the spellings of the URL."""
    found = re.compile(_expression(pattern, strict=strict), re.DOTALL)
    return any(found.fullmatch(spelling) for spelling in _spellings(url))


def wct(case, today):
    """What the Web Curator Tool would have said: ends with, begins with, same scheme."""
    if case["active"] == "no" or case["agency"] == "other" or (case["ends"] and case["ends"] < today.isoformat()):
        return False
    found = re.match(r"(?:(.*?)://)?([^/]*)(.*)", case["pattern"])
    scheme, host, resource = found[1] or "http", found[2], found[3] or "/"
    asked = re.match(r"(?:(.*?)://)?([^/]*)(.*)", case["url"])
    if asked[1] != scheme:
        return False
    key = re.sub(r"^\*[^.]*\.?", "", host) if "*" in host else host
    named = key == "" or asked[2] == key or asked[2].endswith("." + key)
    tail = (asked[3] or "/")[: len(resource.rstrip("*"))]
    return (
        named and asked[2][len(asked[2]) - len(host.lstrip("*")) :] == host.lstrip("*") and tail == resource.rstrip("*")
    )


def _expression(pattern, *, strict):
    text = pattern.removeprefix("//")
    if "://" not in text:
        text = f"http://{text}"
    star = text.endswith("*") and text.count("/") > 2
    parts = urlsplit(text[:-1] + "\N{BLACK STAR}" if star else text)
    scheme = parts.scheme.lower()
    host = re.sub(r"^\*[.\u3002]?", "", parts.netloc.rpartition(":")[0] if _has_port(parts.netloc) else parts.netloc)
    before = r"[^/:]+\." if parts.netloc[:2] in ("*.", "*\u3002") else ""
    name = before + re.escape(_host(host)) if host else r"(?:\[[^]]*\]|[^/:]+)"
    port = parts.port or {"http": 80, "https": 443}[scheme]
    rest = re.escape(_rest(parts).removesuffix("%E2%98%85")) + (".*" if star else "")
    return f"(?:{_doors(scheme, port, strict=strict)})//{name}{rest}"


def _doors(scheme, port, *, strict):
    """Schemes with ports, as `_spellings` writes them."""
    if strict:
        return f"{scheme}:{port}:"
    if (scheme, port) in (("http", 80), ("https", 443)):
        return "http:80:|https:443:"
    return f"http:{port}:|https:{port}:"


def _spellings(url):
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    port = parts.port or {"http": 80, "https": 443}[scheme]
    host = parts.netloc.rpartition(":")[0] if _has_port(parts.netloc) else parts.netloc
    return [f"{scheme}:{port}://{_host(host)}{_rest(parts)}"]


def _has_port(netloc):
    return re.search(r":\d*$", netloc) is not None


def _host(host):
    if host.startswith("["):
        return f"[{ipaddress.IPv6Address(host[1:-1]).compressed}]"
    plain = host.rstrip(".\u3002")
    if re.fullmatch(r"[\d.]+", plain):
        *first, last = (int(number) for number in plain.split("."))
        value = sum(number << (24 - 8 * index) for index, number in enumerate(first)) + last
        return str(ipaddress.IPv4Address(value))
    return idna.encode(plain, uts46=True).decode() if not plain.isascii() else plain.lower()


def _rest(parts):
    path = parts.path or "/"
    tail = "/" if path.endswith(("/", "/.", "/..")) else ""
    doubled = "/" if path.startswith("//") else ""
    tidy = posixpath.normpath(path).lstrip("/") if "/." in path else path.lstrip("/").removesuffix("/")
    path = f"{doubled}/{tidy}{tail if tidy else ''}"
    query = f"?{parts.query}" if parts.query else ""
    return _escaped(path) + _escaped(query)


def _escaped(text):
    """Every octet either as itself, where RFC 3986 reserves nothing, or escaped; escaped separators stay escaped."""
    pieces = re.split(r"(%[0-9A-Fa-f]{2})", text)
    return "".join(_octet(piece) if index % 2 else _octets(piece) for index, piece in enumerate(pieces))


def _octet(escape):
    value = unquote_to_bytes(escape)[0]
    return chr(value) if (chr(value).isalnum() and value < 128) or chr(value) in "-._~" else f"%{value:02X}"


def _octets(text):
    return "".join(chr(octet) if octet in _KEPT else f"%{octet:02X}" for octet in text.encode())
