"""What the tests see of a page: its links and embeds by kind, read with the standard library only."""

import re
from html.parser import HTMLParser
from urllib.parse import quote, urldefrag, urljoin, urlsplit

_ATTRIBUTES = {
    "a": ["href"], "area": ["href"], "link": ["href"], "img": ["src"], "script": ["src"], "iframe": ["src"],
    "audio": ["src"], "source": ["src"],
}  # fmt: skip


class PageLinks(HTMLParser):
    """Collects every address a page names, its meta elements, and its language."""

    def __init__(self, html):
        super().__init__()
        self.base, self.found, self.meta, self.canonical, self.lang, self.ids = "", [], {}, "", "", set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.ids.add(given["id"])
        if tag == "html":
            self.lang = given.get("lang", "")
        elif tag == "base":
            self.base = given["href"]
        elif tag == "meta":
            self.meta[given.get("name") or given.get("http-equiv") or "charset"] = given.get("content")
        elif tag == "link" and given.get("rel") == "canonical":
            self.canonical = given["href"]
        self.found += [given[name] for name in _ATTRIBUTES.get(tag, []) if given.get(name)]
        self.found += [candidate.split()[0] for candidate in given.get("srcset", "").split(",") if candidate.strip()]


def addresses(response, path, origin):
    """The absolute addresses, without fragments, that a response of the site names."""
    if response.media_type == "text/html":
        page = PageLinks(
            response.body.decode("latin-1" if response.headers["Content-Type"] == "text/html" else "utf-8")
        )
        base, found = urljoin(origin + path, page.base), page.found
    elif response.media_type == "text/css":
        base, found = origin + path, re.findall(r"""url\(["']?([^"')]+)""", response.body.decode())
    else:
        return set()
    return {_spelled(urldefrag(urljoin(base, re.sub(r"[\t\n\r]", "", link.strip(" \t\n\r"))))[0]) for link in found}


def _spelled(url):
    """One spelling: percent-encoding as in the lists of the site."""
    parts = urlsplit(url)
    path = quote(bytes.fromhex("".join(f"{byte:02x}" for byte in _raw(parts.path))))
    return parts._replace(path=path).geturl()


def _raw(path):
    return re.sub(rb"%([0-9a-fA-F]{2})", lambda match: bytes.fromhex(match[1].decode()), path.encode())


def walk(responses, origin, start="/", *, barred=frozenset()):
    """Follow links, embeds and redirects from `start`: the paths visited, those missing, and addresses elsewhere."""
    waiting, seen, missing, elsewhere = [start], set(), set(), set()
    while waiting:
        path = waiting.pop()
        if path in seen or path in barred:
            continue
        if path not in responses:
            missing.add(path)
            continue
        seen.add(path)
        response = responses[path]
        named = addresses(response, path, origin)
        if "Location" in response.headers:
            named = {urljoin(origin + path, response.headers["Location"])}
        waiting += [url.removeprefix(origin) for url in named if url.startswith(origin + "/")]
        elsewhere |= {url for url in named if not url.startswith(origin + "/")}
    return seen, missing, elsewhere
