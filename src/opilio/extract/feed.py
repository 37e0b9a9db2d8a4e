"""Feeds: RSS (0.9x, 1.0, 2.0), Atom and JSON Feed, under limits; a broken feed gives what came before the break."""

import re
from dataclasses import dataclass
from typing import Any

from opilio.extract.charset import decide, decode
from opilio.extract.json_links import json_value
from opilio.extract.links import LinkKind, Reference, anchor
from opilio.extract.options import DEFAULTS, Options
from opilio.extract.xml_reading import XmlReader, attribute

_CHUNK = 65_536
_TAGS = re.compile(r"<[^<>]*+>")
_TEXTS = frozenset({"title", "description", "summary", "content", "encoded", "subtitle"})
_ITEMS = frozenset({"item", "entry"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Feed:
    """What a feed holds."""

    title: str = ""
    language: str = ""
    references: tuple[Reference, ...] = ()
    text: str = ""  # titles and summaries, one per line, without markup
    entries: int = 0
    dropped: int = 0  # entries above the limit
    problem: str = ""  # why it was not read to its end


def read_feed(body: bytes, *, content_type: str = "", options: Options = DEFAULTS) -> Feed:
    """Read a feed of any form."""
    if body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _read_json(decode(body, decide(body, content_type=content_type, markup="text")), options)
    text = decode(body, decide(body, content_type=content_type, markup="xml")).lstrip()
    data = text.encode("utf-8", "replace")
    reading = _Reading(options)
    reader = XmlReader(start=reading.start, end=reading.end, max_depth=options.max_xml_depth, doctype=True)
    problem = reader.read(data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK))
    if not problem and reading.root not in ("rss", "rdf", "feed"):
        problem = "it is no feed"
    return reading.feed(problem)


class _Reading:
    """Gathers links and texts while the XML streams by."""

    def __init__(self, options: Options) -> None:
        self.root = ""
        self._limit = options.max_feed_entries
        self._room = options.max_text
        self._title = self._language = ""
        self._references: list[Reference] = []
        self._lines: list[str] = []
        self._path: list[str] = []
        self._item_links: list[Reference] = []
        self._item_title = ""
        self._entries = self._dropped = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.root = self.root or name
        self._path.append(name)
        if name == "feed":
            self._language = attribute(attributes, "lang")
        elif name in _ITEMS:
            self._item_links, self._item_title = [], ""
        elif name == "link" and attributes.get("href"):
            self._add(attributes["href"], attributes.get("rel", "alternate").lower())
        elif name in ("enclosure", "thumbnail") or (name == "content" and attributes.get("medium")):
            self._add(attributes.get("url", ""), "enclosure")

    def end(self, name: str, text: str) -> None:
        self._path.pop()
        inside = self._path[-1] if self._path else ""
        if name in _ITEMS:
            self._keep_item()
        elif name == "link" and text.strip():
            self._add(text.strip(), "alternate")
        elif name == "url" and inside == "image":
            self._add(text.strip(), "enclosure")
        elif name == "language":
            self._language = self._language or text.strip()[:35]
        elif name in _TEXTS:
            self._text(name, inside, text)

    def feed(self, problem: str) -> Feed:
        """All that was gathered."""
        return Feed(
            title=self._title,
            language=self._language[:35],
            references=tuple(self._references),
            text="\n".join(self._lines),
            entries=self._entries,
            dropped=self._dropped,
            problem=problem,
        )

    def _add(self, ref: str, rel: str) -> None:
        kind = LinkKind.EMBED if rel in ("enclosure", "icon") else LinkKind.LINK
        if ref and len(self._references) < 20 * self._limit:
            target = self._item_links if any(name in _ITEMS for name in self._path) else self._references
            target.append(Reference(ref, kind, "feed", "link", rel))

    def _text(self, name: str, inside: str, text: str) -> None:
        line = " ".join(_TAGS.sub(" ", text).split())[: max(0, self._room)]
        if name == "title" and inside in ("channel", "feed"):
            self._title = self._title or line
        elif name == "title" and inside in _ITEMS:
            self._item_title = line
        if line:
            self._room -= len(line)
            self._lines.append(line)

    def _keep_item(self) -> None:
        if self._entries >= self._limit:
            self._dropped += 1
            return
        self._entries += 1
        title = anchor(self._item_title)
        self._references.extend(link._replace(text=title) for link in self._item_links[:100])
        self._item_links = []


def _read_json(text: str, options: Options) -> Feed:
    value = json_value(text)
    if not isinstance(value, dict) or not str(value.get("version", "")).startswith("https://jsonfeed.org/version/"):
        return Feed(problem="it is no feed")
    references = [
        Reference(ref, LinkKind.LINK, "feed", key)
        for key in ("home_page_url", "next_url")
        if (ref := _word(value, key))
    ]
    references += [
        Reference(ref, LinkKind.EMBED, "feed", key) for key in ("icon", "favicon") if (ref := _word(value, key))
    ]
    lines = [line for key in ("title", "description") if (line := _word(value, key))]
    items = [item for item in _list(value, "items") if isinstance(item, dict)]
    for item in items[: options.max_feed_entries]:
        references.extend(_item_references(item))
        words = (_word(item, key) for key in ("title", "summary", "content_text", "content_html"))
        lines.extend(line for word in words if (line := " ".join(_TAGS.sub(" ", word).split())))
    return Feed(
        title=_word(value, "title"),
        language=_word(value, "language")[:35],
        references=tuple(references),
        text="\n".join(lines)[: options.max_text],
        entries=min(len(items), options.max_feed_entries),
        dropped=max(0, len(items) - options.max_feed_entries),
    )


def _item_references(item: dict[str, Any]) -> list[Reference]:
    title = anchor(_word(item, "title"))
    found = [
        Reference(ref, LinkKind.LINK, "feed", key, "", title)
        for key in ("url", "external_url")
        if (ref := _word(item, key))
    ]
    found += [
        Reference(ref, LinkKind.EMBED, "feed", key) for key in ("image", "banner_image") if (ref := _word(item, key))
    ]
    attachments = [one for one in _list(item, "attachments") if isinstance(one, dict)]
    return found + [Reference(ref, LinkKind.EMBED, "feed", "url") for one in attachments if (ref := _word(one, "url"))]


def _word(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    return found.strip() if isinstance(found, str) else ""


def _list(value: dict[str, Any], key: str) -> list[Any]:
    found = value.get(key)
    return found if isinstance(found, list) else []
