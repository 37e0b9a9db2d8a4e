"""What the literals and functions of an SQL dump mean: quotes, escapes, dates with a mask, hexadecimal bytes."""

import datetime
import re

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a"}
_ESCAPE = re.compile(r"\\(.)|''", re.DOTALL)
_MASK = re.compile(
    r"YYYY|RRRR|SYYYY|YY|RR|MONTH|MON|MM|DD|HH24|HH12|HH|MI|SS(?:XFF\d?|\.?FF\d?)?|FF\d?|AM|PM|\"[^\"]*\"|.", re.I
)
_MARKS = {
    "YYYY": "%Y", "RRRR": "%Y", "SYYYY": "%Y", "YY": "%y", "RR": "%y", "MONTH": "%B", "MON": "%b", "MM": "%m",
    "DD": "%d", "HH24": "%H", "HH12": "%I", "HH": "%I", "MI": "%M", "SS": "%S", "AM": "%p", "PM": "%p",
}  # fmt: skip


def unquoted(literal: str, *, backslashes: bool) -> str:
    """The text that a string literal stands for."""
    lead = literal[0]
    if lead in "qQ":
        return literal[3:-2]
    if lead in "xX":
        return _bytes(literal[2:-1])
    if lead in "bB" and literal[1:2] == "'":
        return str(int(literal[2:-1] or "0", 2))
    body = literal[literal.index("'") + 1 : -1]
    if lead in "eE" or backslashes:
        return _ESCAPE.sub(lambda found: _meant(found[1]), body)
    return body.replace("''", "'")


def _meant(char: str | None) -> str:
    return "'" if char is None else _ESCAPES.get(char, char)


def hexadecimal(token: str) -> str:
    """`0x41` as MySQL writes bytes."""
    return _bytes(token[2:])


def _bytes(digits: str) -> str:
    try:
        return bytes.fromhex(digits).decode("utf-8", "surrogateescape")
    except ValueError:
        return digits


def dated(text: str, mask: str) -> str:
    """A date written with an Oracle mask, as ISO; unchanged if the mask does not fit, for the row's own check."""
    text = re.sub(r"([.:]\d{6})\d+", r"\1", text.strip())  # at most microseconds
    try:
        return str(datetime.datetime.strptime(text, _format(mask)))  # noqa: DTZ007 - the zone is told apart
    except ValueError:
        return text


def _format(mask: str) -> str:
    parts = []
    for found in _MASK.findall(mask):
        upper = found.upper()
        if upper.startswith(("SS", "FF")) and "F" in upper:
            parts.append({"F": "%f", "SX": "%S.%f", "SS": "%S.%f"}.get(upper[:1] if upper[0] == "F" else upper[:2], ""))
        else:
            parts.append(_MARKS.get(upper, found.strip('"').replace("%", "%%")))
    return "".join(parts)


def copied(field: str) -> str | None:
    r"""A field of a COPY block: `\N` is nothing, a backslash escapes."""
    if field == r"\N":
        return None
    return _COPY.sub(_copy_meant, field) if "\\" in field else field


_COPY = re.compile(r"\\([0-7]{1,3}|x[0-9A-Fa-f]{1,2}|.)", re.DOTALL)
_COPY_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def _copy_meant(found: re.Match[str]) -> str:
    text = found[1]
    if text[0] == "x" and len(text) > 1:
        return chr(int(text[1:], 16))
    if text[0] in "01234567":
        return chr(int(text, 8))
    return _COPY_ESCAPES.get(text, text)
