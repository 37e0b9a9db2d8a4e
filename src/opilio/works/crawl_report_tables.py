"""Tables, numbers and URLs of a report page."""

from collections.abc import Mapping, Sequence
from typing import Any

from opilio.works.markup import Markup, joined, tag


def table(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[object]], *, numeric: Sequence[int] = ()
) -> Markup:
    """A table that scrolls by itself where it is too wide; `numeric` columns stand to the right."""
    kinds = ["n" if number in numeric else None for number in range(len(columns))]
    head = tag("tr", *(tag("th", name, scope="col", class_=kind) for name, kind in zip(columns, kinds, strict=True)))
    body = [tag("tr", *(tag("td", cell, class_=kind) for cell, kind in zip(row, kinds, strict=True))) for row in rows]
    made = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", *body))
    return tag("div", made, class_="wide", role="group", aria_label=caption, tabindex="0")


def shown_of(found: Mapping[str, Any], what: str) -> Markup:
    """What there is and how much of it, and how many of them are listed."""
    total, here = found["total"], len(found["listed"])
    more = f" The first {here:,} are listed." if here < total else ""
    return tag("p", f"{what}: ", tag("b", count(total)), f".{more}")


def url(text: str) -> Markup:
    """A URL as a link; shown apart from the direction of its neighbours. Only web addresses are linked."""
    words = tag("bdi", text)
    if text.startswith(("http://", "https://")) and not text.endswith("…") and "⟨U+" not in text:
        return tag("a", words, href=text, rel="noopener noreferrer nofollow", class_="url")
    return tag("span", words, class_="url")


def word(text: object) -> Markup:
    """Text that others chose."""
    return tag("bdi", text)


def count(number: float) -> str:
    """12,345."""
    return f"{number:,.0f}"


def size(number: float) -> str:
    """Bytes as people read them: 12.3 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(number) < 1000:
            return f"{number:.0f} {unit}" if unit == "B" or number >= 100 else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def span(seconds: float) -> str:
    """A length of time: 1 h 4 min."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes} min" if hours else f"{minutes} min {rest} s"


def milliseconds(number: float | None) -> str:
    """12 ms or 3.4 s."""
    if number is None:
        return ""
    return f"{number:.0f} ms" if number < 1000 else f"{number / 1000:.1f} s"


def nothing(words: str) -> Markup:
    """Said where a list would be empty."""
    return tag("p", words, class_="none")


def folded(heading: str, *content: Markup) -> Markup:
    """Detail that opens when asked for, without a script."""
    return tag("details", tag("summary", heading), joined(*content))
