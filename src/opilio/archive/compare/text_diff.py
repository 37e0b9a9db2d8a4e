"""How the text of a page changed, as a unified diff of lines or words.

Comparing takes time that grows with the square of the length: what both texts begin and end with is set aside first,
and of the rest no more than LONGEST units are compared; the answer says when there was more.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

LONGEST = 10_000  # lines or words of each text that are compared
_CONTEXT = 3  # units around a change
_MOST_CHARACTERS = 50_000_000  # of a text that is looked at
_WORD = re.compile(r"\S+")


class Unit(StrEnum):
    """What is compared."""

    LINES = "lines"
    WORDS = "words"


@dataclass(frozen=True, kw_only=True, slots=True)
class TextDiff:
    """The change of a text."""

    lines: tuple[str, ...]  # of a unified diff; none: the same
    notes: tuple[str, ...] = ()  # what was left out

    @property
    def same(self) -> bool:
        """Whether nothing changed, as far as was compared."""
        return not self.lines


def text_diff(before: str, after: str, *, unit: Unit = Unit.LINES, names: tuple[str, str] = ("a", "b")) -> TextDiff:
    """The unified diff of two texts."""
    first, second = _units(before, unit), _units(after, unit)
    begin = _common(first, second)
    end = _common(first[begin:][::-1], second[begin:][::-1])
    changed = [text[begin : len(text) - end] for text in (first, second)]
    notes = []
    if max(map(len, changed)) > LONGEST:
        notes.append(f"Only the first {LONGEST:,} {unit} from the first change on were compared.")
    if max(len(before), len(after)) > _MOST_CHARACTERS:
        notes.append(f"Only the first {_MOST_CHARACTERS:,} characters of each text were compared.")
    start = max(0, begin - _CONTEXT)
    cut = [
        [*text[start:begin], *middle[:LONGEST], *(text[len(text) - end :][:_CONTEXT] if len(middle) <= LONGEST else [])]
        for text, middle in zip((first, second), changed, strict=True)
    ]
    return TextDiff(lines=tuple(_diffed(cut[0], cut[1], start, names)), notes=tuple(notes))


def _diffed(first: Sequence[str], second: Sequence[str], start: int, names: tuple[str, str]) -> list[str]:
    """difflib's diff, its places counted from the beginning of the texts."""
    if list(first) == list(second):
        return []
    found = [f"--- {names[0]}", f"+++ {names[1]}"]
    for group in difflib.SequenceMatcher(None, first, second).get_grouped_opcodes(_CONTEXT):
        ranges = (_span(start, group[0][1], group[-1][2]), _span(start, group[0][3], group[-1][4]))
        found.append(f"@@ -{ranges[0]} +{ranges[1]} @@")
        for tag, a, b, c, d in group:
            if tag == "equal":
                found += [f" {line}" for line in first[a:b]]
            else:
                found += [f"-{line}" for line in first[a:b]] + [f"+{line}" for line in second[c:d]]
    return found


def _span(start: int, first: int, last: int) -> str:
    """A place as unified diffs write it: from 1, and before it where nothing is there."""
    length = last - first
    begin = start + first + (1 if length else 0)
    return str(begin) if length == 1 else f"{begin},{length}"


def _units(text: str, unit: Unit) -> list[str]:
    shown = text[:_MOST_CHARACTERS]
    return _WORD.findall(shown) if unit is Unit.WORDS else shown.split("\n")


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many units both begin with."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count
