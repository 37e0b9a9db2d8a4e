"""The URLs to which a GET form leads when it has nothing to type and few combinations of choices."""

from collections.abc import Iterator
from itertools import product
from urllib.parse import urlencode

from selectolax.lexbor import LexborNode

from opilio.extract.links import LinkKind, Reference

_TYPED = frozenset(
    [
        "text",
        "search",
        "email",
        "url",
        "tel",
        "password",
        "number",
        "date",
        "month",
        "week",
        "time",
        "datetime-local",
        "range",
        "color",
        "file",
    ]
)
_PRESSED = frozenset(["submit", "image", "reset", "button"])
_CONTROLS = "input,select,textarea"

Choice = tuple[
    tuple[str, str] | None, ...
]  # the name and value pairs of a control, of which one is sent; None: nothing


def form_references(form: LexborNode, limit: int) -> Iterator[Reference]:
    """Each combination of a form's choices as a link; none when it posts, wants typing or has more than `limit`."""
    if (form.attrs.get("method") or "get").strip().lower() != "get":
        return
    choices = _choices(form)
    if choices is None or _combinations(choices, limit) > limit:
        return
    action = (form.attrs.get("action") or "").partition("#")[0].partition("?")[0]
    for combination in product(*choices):
        query = urlencode([pair for pair in combination if pair is not None])
        yield Reference(f"{action}?{query}", LinkKind.FORM, "form", "action")


def _combinations(choices: list[Choice], limit: int) -> int:
    count = 1
    for choice in choices:
        count *= max(1, len(choice))
        if count > limit:
            break
    return count


def _choices(form: LexborNode) -> list[Choice] | None:
    """What each control can send; None when something must be typed."""
    found: list[Choice] = []
    radios: dict[str, list[tuple[str, str]]] = {}
    for control in form.css(_CONTROLS):
        name, kind = control.attrs.get("name") or "", (control.attrs.get("type") or "text").lower()
        if not name or "disabled" in control.attributes or (control.tag == "input" and kind in _PRESSED):
            continue
        if control.tag == "textarea" or (control.tag == "input" and kind in _TYPED):
            return None
        if kind == "radio" and control.tag == "input":
            radios.setdefault(name, []).append((name, control.attrs.get("value") or "on"))
        else:
            found.append(_sent(control, name, kind))
    return found + [tuple(pairs) for pairs in radios.values()]


def _sent(control: LexborNode, name: str, kind: str) -> Choice:
    if control.tag == "select":
        options = control.css("option")
        return tuple((name, _value(option)) for option in options if "disabled" not in option.attributes) or (None,)
    pair = (name, control.attrs.get("value") or ("on" if kind == "checkbox" else ""))
    return (None, pair) if kind == "checkbox" else (pair,)


def _value(option: LexborNode) -> str:
    if "value" in option.attributes:
        return option.attrs.get("value") or ""
    return " ".join(option.text().split())
