"""The form of a depository: fields that it asks for with each deposit, and whether answers fit them. Pure.

A field is `{"name": …, "label": …, "kind": text|long|number|date|choice|yes-no, "required": …, "choices": […]}`.
"""

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

KINDS = ("text", "long", "number", "date", "choice", "yes-no")
MOST = 30  # fields of a form
_LENGTHS = {"text": 500, "long": 4_000}
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_NUMBER = re.compile(r"[+-]?\d{1,18}(\.\d{1,9})?")


@dataclass(frozen=True, kw_only=True)
class Question:
    """One field."""

    name: str
    label: str
    kind: str = "text"
    required: bool = False
    choices: tuple[str, ...] = ()
    help: str = ""

    def told(self) -> dict[str, Any]:
        """As it is stored."""
        return {
            "name": self.name, "label": self.label, "kind": self.kind, "required": self.required,
            "choices": list(self.choices), "help": self.help,
        }  # fmt: skip


def questions(rows: Sequence[Mapping[str, Any]]) -> list[Question]:
    """The fields of a form that was stored."""
    return [
        Question(
            name=str(row["name"]), label=str(row["label"]), kind=str(row.get("kind", "text")),
            required=bool(row.get("required")), choices=tuple(map(str, row.get("choices") or ())),
            help=str(row.get("help", "")),
        )
        for row in rows
    ]  # fmt: skip


def faults_of(rows: Any) -> list[str]:
    """What is wrong with a form that somebody entered; nothing: it can be stored."""
    if not isinstance(rows, list) or len(rows) > MOST:
        return [f"Write a list of at most {MOST} fields."]
    found = [fault for number, row in enumerate(rows, start=1) for fault in _faults(number, row)]
    names = [row.get("name") for row in rows if isinstance(row, Mapping)]
    return found or ([] if len({*map(str, names)}) == len(names) else ["Two fields have the same name."])


def _faults(number: int, row: Any) -> list[str]:
    if not isinstance(row, Mapping):
        return [f"Field {number} is no object with name and label."]
    found, name, label = [], row.get("name"), row.get("label")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        found.append(f"The name of field {number} must be lower-case letters, digits, - and _, at most 40.")
    if not isinstance(label, str) or not label.strip() or len(label) > 200:
        found.append(f"The label of field {number} must be a text of at most 200 characters.")
    if row.get("kind", "text") not in KINDS:
        found.append(f"The kind of field {number} must be one of {', '.join(KINDS)}.")
    choices = row.get("choices") or []
    if not isinstance(choices, list) or len(choices) > 200 or not all(_is_choice(one) for one in choices):
        found.append(f"The choices of field {number} must be at most 200 texts of at most 200 characters.")
    elif row.get("kind") == "choice" and not choices:
        found.append(f"Field {number} is a choice and has no choices.")
    if not isinstance(row.get("help", ""), str) or len(str(row.get("help", ""))) > 500:
        found.append(f"The help of field {number} must be a text of at most 500 characters.")
    return found


def _is_choice(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 200


def checked(asked: Sequence[Question], answers: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The answers as texts, and by field what is wrong with them; unknown fields are wrong too."""
    known = {one.name: one for one in asked}
    faults = {str(name)[:40]: ["The form has no such field."] for name in answers if name not in known}
    good = {}
    for one in asked:
        text = _text(answers.get(one.name))
        fault = _fault(one, text)
        if fault:
            faults[one.name] = [fault]
        elif text:
            good[one.name] = text
    return good, faults


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime.date):
        return value.isoformat()
    return "" if value is None else str(value).strip()


def _fault(one: Question, text: str) -> str:
    if not text:
        return "Fill this in." if one.required else ""
    if "\x00" in text or len(text) > _LENGTHS.get(one.kind, 500):
        return f"Write at most {_LENGTHS.get(one.kind, 500)} characters."
    wrong = {
        "number": "" if _NUMBER.fullmatch(text) else "Write a number.",
        "date": "" if _is_date(text) else "Write a date as 2026-03-01.",
        "choice": "" if text in one.choices else "Choose one of the list.",
        "yes-no": "" if text in ("yes", "no") else "Answer yes or no.",
    }
    return wrong.get(one.kind, "")


def _is_date(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True
