"""Finds the login form of a page and fills it in as a browser would. Pure: bytes in, what is to be posted out."""

import codecs
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

import re2
from selectolax.lexbor import LexborHTMLParser, LexborNode

from opilio.crawl.logins.credential import Form
from opilio.extract.bounds import too_hostile
from opilio.extract.html import html_source
from opilio.extract.options import DEFAULTS
from opilio.kernel.redaction import HIDDEN
from opilio.kernel.urls import Base

_PASSWORD = re2.compile(rb"(?i)type\s*=\s*[\"']?\s*password")
_CONTROLS = "input,select,textarea,button"
_UNSENT = frozenset({"reset", "button", "image", "file"})
_SHORT = 1_500  # characters of text; a page that only asks who you are says little
_LARGEST = 512 * 1024  # bytes; no page to sign in is larger
_MOST_FORMS = 50  # of a page that are looked at
_Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class LoginForm:
    """What is posted, and what may be shown of it."""

    action: str
    body: bytes = field(repr=False)
    shown: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedToLogIn:
    """A page with a form for one password."""

    action: str  # where it leads
    short: bool  # the page says little else


def asked_to_log_in(content: bytes, content_type: str, url: str) -> AskedToLogIn | None:
    """Whether a page holds a form with exactly one password: two are for a new one."""
    document = _document(content, content_type)
    if document is None:
        return None
    for form in document[0].css("form")[:_MOST_FORMS]:
        if sum(1 for control in _controls(document[0], form) if _kind(control) == "password") == 1:
            body = document[0].body
            text = " ".join(body.text(separator=" ").split()) if body is not None else ""
            return AskedToLogIn(action=_action(document[0], form, url) or url, short=len(text) <= _SHORT)
    return None


def holds(content: bytes, content_type: str, text: str) -> bool:
    """Whether a text stands on a page, in the page's charset."""
    return text.encode() in content or text.encode() in html_source(content, content_type).markup


def filled(content: bytes, content_type: str, url: str, way: Form) -> LoginForm | str:
    """The form with user and password; a text says why there is none."""
    document = _document(content, content_type)
    form = _login_form(document[0], way) if document is not None else None
    if document is None or form is None:
        wanted = f"the field “{way.password_field}”" if way.password_field else "a password"
        return f"there is no form with {wanted} on {url}"
    if (form.attrs.get("method") or "get").strip().lower() != "post":
        return f"the form on {url} would put the password into a URL"
    if "multipart" in (form.attrs.get("enctype") or "").lower():
        return f"the form on {url} is posted as multipart, which is not spoken here"
    action = _action(document[0], form, url)
    if action is None:
        return f"the form on {url} leads to no URL"
    named = _named(document[0], form, way)
    if isinstance(named, str):
        return f"{named} on {url}"
    pairs = list(_pairs(document[0], form, named))
    charset = form.attrs.get("accept-charset") or document[1]
    return LoginForm(action=action, body=_encoded(pairs, charset), shown=_encoded(_hidden(pairs, named), charset))


def _document(content: bytes, content_type: str) -> tuple[LexborHTMLParser, str] | None:
    if len(content) > _LARGEST or _PASSWORD.search(content) is None:
        return None
    source = html_source(content, content_type)
    if too_hostile(source.markup, DEFAULTS) is not None:
        return None
    return LexborHTMLParser(source.markup), source.charset.name


def _login_form(document: LexborHTMLParser, way: Form) -> LexborNode | None:
    for form in document.css("form")[:_MOST_FORMS]:
        for control in _controls(document, form):
            if way.password_field and control.attrs.get("name") == way.password_field:
                return form
            if not way.password_field and _kind(control) == "password":
                return form
    return None


def _controls(document: LexborHTMLParser, form: LexborNode) -> list[LexborNode]:
    """The controls inside a form, and those elsewhere that name it."""
    name = form.attrs.get("id")
    elsewhere = [node for node in document.css("[form]") if name and node.attrs.get("form") == name]
    found = [*form.css(_CONTROLS), *(node for node in elsewhere if node.tag in _CONTROLS.split(","))]
    return [node for node in found if "disabled" not in node.attributes]


def _kind(control: LexborNode) -> str:
    if control.tag in ("select", "textarea"):
        return str(control.tag)
    usual = "submit" if control.tag == "button" else "text"
    return (control.attrs.get("type") or usual).strip().lower()


def _action(document: LexborHTMLParser, form: LexborNode, url: str) -> str | None:
    base = document.css_first("base[href]")
    start = Base(url).link(base.attrs.get("href") or "") if base is not None else url
    return Base(start or url).link((form.attrs.get("action") or url).strip())


def _named(document: LexborHTMLParser, form: LexborNode, way: Form) -> Mapping[str, str] | str:
    """Which fields take which of our values; a text says what is missing."""
    user, password = way.user_field, way.password_field
    before = ""
    for control in _controls(document, form):
        name, kind = control.attrs.get("name") or "", _kind(control)
        if not password and kind == "password":
            password, user = name, user or before
        elif kind in ("text", "email", "tel") and not password:
            before = name
    if not password:
        return "the password field has no name"
    if not (user or before):
        return "there is no field for the user in the form"
    return {**way.fields, user or before: way.user, password: way.password}


def _pairs(document: LexborHTMLParser, form: LexborNode, named: Mapping[str, str]) -> Iterator[_Pair]:
    sent: set[str] = set()
    pressed = False
    for control in _controls(document, form):
        name, kind = control.attrs.get("name") or "", _kind(control)
        if not name or kind in _UNSENT or (kind == "submit" and pressed):
            continue
        pressed = pressed or kind == "submit"
        if name in named:
            if name not in sent:
                yield name, named[name]
        else:
            yield from ((name, value) for value in _values(control, kind))
        sent.add(name)
    yield from ((name, value) for name, value in named.items() if name not in sent)


def _values(control: LexborNode, kind: str) -> Iterator[str]:
    """What a control sends that nobody touched."""
    if kind in ("checkbox", "radio"):
        if "checked" in control.attributes:
            yield control.attrs.get("value") or "on"
    elif kind == "select":
        options = [option for option in control.css("option") if "disabled" not in option.attributes]
        chosen = [option for option in options if "selected" in option.attributes] or options[:1]
        for option in chosen:
            value = option.attrs.get("value") if "value" in option.attributes else " ".join(option.text().split())
            yield value or ""
    else:
        yield control.text() if kind == "textarea" else control.attrs.get("value") or ""


def _hidden(pairs: list[_Pair], named: Mapping[str, str]) -> list[_Pair]:
    return [(name, HIDDEN if name in named else value) for name, value in pairs]


def _encoded(pairs: list[_Pair], charset: str) -> bytes:
    try:
        codec = codecs.lookup(charset.split()[0]).name if charset.strip() else "utf-8"
    except LookupError:
        codec = "utf-8"
    return urlencode(pairs, encoding=codec, errors="xmlcharrefreplace").encode("ascii")
