"""What a verb of bulk work wants to be told: each argument with its words, its control and its reading of texts."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from opilio.people import zones
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields

Options = Sequence[tuple[str, str]]  # value and label
_LONGEST = 4_000  # characters
_WORDS = {"yes": True, "true": True, "1": True, "on": True, "no": False, "false": False, "0": False}


class Control(StrEnum):
    """How somebody gives an argument."""

    TEXT = "text"
    PARAGRAPH = "paragraph"
    CHOICE = "choice"
    NAME = "name"  # text, with suggestions
    DAY = "day"


@dataclass(frozen=True, kw_only=True)
class Argument:
    """One thing to be told."""

    name: str
    label: str
    control: Control = Control.TEXT
    required: bool = True
    help: str = ""
    options: Callable[[Actor], Options] = lambda actor: ()
    read: Callable[[str], Any] = lambda text: text


def values(arguments: Sequence[Argument], texts: Mapping[str, str]) -> dict[str, Any]:
    """The texts as values, or `InvalidFields` with a word for each that cannot be used; empty ones are None."""
    faults: dict[str, list[str]] = {
        name: ["There is no such argument."] for name in texts if name not in {one.name for one in arguments}
    }
    found: dict[str, Any] = {}
    for one in arguments:
        try:
            found[one.name] = _value(one, texts.get(one.name, "").strip())
        except ValueError as error:
            faults[one.name] = [str(error)]
    if faults:
        raise InvalidFields(faults, where="arguments")
    return found


def _value(argument: Argument, text: str) -> Any:
    if not text:
        if argument.required:
            raise ValueError("This is needed.")
        return None
    if len(text) > _LONGEST or "\x00" in text:
        raise ValueError(f"Write at most {_LONGEST:,} characters, without NUL.")
    return argument.read(text)


def day(text: str) -> datetime.date:
    """A day as 2026-01-31."""
    try:
        return datetime.date.fromisoformat(text)
    except ValueError as error:
        raise ValueError("Write a day as 2026-01-31.") from error


def flag(text: str) -> bool:
    """Yes or no."""
    found = _WORDS.get(text.lower())
    if found is None:
        raise ValueError("Write yes or no.")
    return found


def number(text: str) -> int:
    """The number of a row."""
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise ValueError("Write the number of a row.")
    return int(text)


def zone(text: str) -> str:
    """An IANA time zone."""
    if text not in zones.names():
        raise ValueError("Write a zone as Europe/Paris.")
    return text


def one_of(**labels: str) -> tuple[Callable[[Actor], Options], Callable[[str], str]]:
    """Options and reading of a fixed choice."""

    def read(text: str) -> str:
        if text not in labels:
            raise ValueError(f"Choose one of {', '.join(labels)}.")
        return text

    return (lambda actor: tuple(labels.items())), read
