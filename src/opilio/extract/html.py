"""Reads an HTML page in one parse: decode, check, parse, walk once, resolve."""

from collections.abc import Iterable
from dataclasses import dataclass

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from opilio.extract.bounds import too_hostile
from opilio.extract.charset import Charset, decide, decode, is_utf8
from opilio.extract.extracted import Extracted, Meta
from opilio.extract.html_references import background_reference, has_backgrounds, has_styles, style_references
from opilio.extract.html_text import VisibleText, visible_text, with_breaks
from opilio.extract.html_walk import Walk
from opilio.extract.kind import Kind
from opilio.extract.links import LinkKind, Reference, Resolved, resolve
from opilio.extract.options import Options
from opilio.extract.quick import QuickPage
from opilio.extract.refresh import Refresh, refresh_of
from opilio.extract.robots_tags import directives, is_agent
from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import Base

_PARSING = LexborDocumentOptions.WO_EVENTS.value  # nothing listens to changes of the tree
_MAX_FRAME = 262_144  # characters of a document inside the page that are read
_MAX_FRAMES = 20
_MAX_TEMPLATES = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class HtmlSource:
    """A page's bytes as the parser wants them: UTF-8, without BOM."""

    markup: bytes
    charset: Charset


def html_source(body: bytes, content_type: str) -> HtmlSource:
    """Decide the charset and bring the page to UTF-8; valid UTF-8 is passed on as it is."""
    charset = decide(body, content_type=content_type, markup="html")
    if charset.name == "UTF-8":
        markup = body.removeprefix(b"\xef\xbb\xbf")
        if charset.source == "utf-8" or is_utf8(markup):
            return HtmlSource(markup=markup, charset=charset)
    return HtmlSource(markup=decode(body, charset).encode("utf-8", "replace"), charset=charset)


def read_html(
    source: HtmlSource, kind: Kind, *, url: str, options: Options, quick: QuickPage | None = None
) -> Extracted:
    """Everything a page gives. Unless it was read quickly, the caller has made sure that it may be parsed here
    (`bounds.too_hostile`)."""
    walk, text, language = quick or _parsed(source, options)
    if quick is not None:
        _read_frames(walk, options)
    return _result(walk, text, source, kind, url=url, options=options, language=language)


def _parsed(source: HtmlSource, options: Options) -> QuickPage:
    walk = Walk(options)
    document = LexborHTMLParser(with_breaks(source.markup), options=_PARSING)
    root = document.root
    if root is not None:
        walk.over(root)
        _read_templates(document, walk, options)
        _read_attributes(document, walk, source.markup)
    _read_frames(walk, options)
    language = (root.attrs.get("lang") or root.attrs.get("xml:lang") or "") if root is not None else ""
    return QuickPage(walk, visible_text(document, walk, markup=source.markup, options=options), language)


def _read_frames(walk: Walk, options: Options) -> None:
    for frame in walk.frames[:_MAX_FRAMES]:
        _read_frame(frame, walk, options)


def _read_templates(document: LexborHTMLParser, walk: Walk, options: Options) -> None:
    """The content of templates is no part of the tree: guesses, unless a shadow root shows it."""
    shown = {node.mem_id for node in walk.shadows}
    waiting = document.template_fragments() if walk.templates else []
    for count, fragment in enumerate(waiting):
        if count >= _MAX_TEMPLATES:
            return
        holder = fragment.parent
        if holder is not None and holder.mem_id in shown:
            walk.over(fragment)
            walk.shadow_texts.append(fragment.text())
        else:
            guesses = Walk(options, speculative=True)
            guesses.over(fragment)
            walk.references.extend(guesses.references)
        waiting.extend(fragment.template_fragments())


def _read_attributes(document: LexborHTMLParser, walk: Walk, markup: bytes) -> None:
    """Attributes that any element may have are looked for only on pages that can have them."""
    if has_styles(markup):
        for node in document.css("[style]"):
            walk.references.extend(style_references(node))
    if has_backgrounds(markup) and document.css_first("td,th") is not None:
        for node in document.css("td[background],th[background],tr[background]"):
            walk.references.extend(background_reference(node))


def _read_frame(markup: str, walk: Walk, options: Options) -> None:
    """The links of a document that stands in a srcdoc attribute; frames inside it are left alone."""
    data = markup[:_MAX_FRAME].encode("utf-8", "replace")
    if too_hostile(data, options) is None:
        inner = Walk(options)
        root = LexborHTMLParser(data, options=_PARSING).root
        if root is not None:
            inner.over(root)
        walk.references.extend(inner.references)


def _result(
    walk: Walk, text: VisibleText, source: HtmlSource, kind: Kind, *, url: str, options: Options, language: str
) -> Extracted:
    base = base_of(url, walk.base, options)
    refresh = _refresh(walk.metas)
    if refresh is not None and refresh.ref:
        walk.references.append(Reference(refresh.ref, LinkKind.REDIRECT, "meta", "content", "refresh"))
    resolved = resolve(walk.references, base, options)
    declared, by = _language(language, walk.metas)
    return Extracted(
        page_type=kind.page_type,
        extension=kind.extension,
        mime=kind.mime,
        type_decided_by=kind.decided_by,
        charset=source.charset.name,
        charset_source=source.charset.source,
        title=walk.title or "",
        metas=tuple(walk.metas),
        headings=tuple(walk.headings),
        language=declared,
        language_source=by,
        canonical=_canonical(walk.references, base),
        refresh_seconds=None if refresh is None else refresh.seconds,
        asks_password=walk.password,
        text=text.text,
        boilerplate=text.boilerplate,
        robots=_robots(walk.metas),
        links=resolved.links,
        malformed=resolved.malformed,
        malformed_samples=resolved.samples,
        schemes=resolved.schemes,
        notes=notes(resolved, text_cut=text.cut),
    )


def base_of(url: str, written: str, options: Options) -> Base:
    """The URL against which a page's references are resolved; an unusable `base` element counts for nothing."""
    own = Base(url, options.query)
    if not written:
        return own
    target = Base(url).link(written)
    try:
        return own if target is None else Base(target, options.query)
    except BadUrl:
        return own


def notes(resolved: Resolved, *, text_cut: bool) -> tuple[str, ...]:
    """What was left out, in sentences."""
    found = []
    if resolved.dropped:
        found.append(f"{resolved.dropped} links above the limit of the page were left out.")
    if text_cut:
        found.append("The text was longer than the limit and is cut.")
    return tuple(found)


def _canonical(references: Iterable[tuple[str, LinkKind, str, str, str, str]], base: Base) -> str:
    for ref, _, element, _, rel, _ in references:
        if element == "link" and "canonical" in rel.split():
            return base.link(ref) or ""
    return ""


def _refresh(metas: Iterable[Meta]) -> Refresh | None:
    for meta in metas:
        if meta.name == "refresh" and meta.attribute == "http-equiv":
            return refresh_of(meta.content)
    return None


def _language(declared: str, metas: Iterable[Meta]) -> tuple[str, str]:
    if declared.strip():
        return declared.strip()[:35], "html"
    for meta in metas:
        if meta.name == "content-language" and meta.content.strip():
            return meta.content.split(",")[0].strip()[:35], "meta"
    return "", ""


def _robots(metas: Iterable[Meta]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for meta in metas:
        if meta.attribute == "name" and is_agent(meta.name):
            found[meta.name] = found.get(meta.name, frozenset()) | directives(meta.content)
    return found
