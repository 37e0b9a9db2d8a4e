"""Reads the two files in which users keep words: the stop list and the synonyms.

Both are plain UTF-8 text; empty lines and what follows a `#` do not count. Stop list: one word per line; `-word` takes
a word off the built-in list; `[fr]` starts the words of one language, `[*]` those of all (so it begins). Synonyms:
`car, automobile, motor car` are found by each other; `laptop => computer, notebook` works one way only.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from opilio.kernel.files import reading
from opilio.search.analysis.errors import BadWordList
from opilio.search.analysis.languages import language_code
from opilio.search.analysis.settings import AnalysisSettings, StopRule, Synonym
from opilio.search.analysis.splitting import words

MOST_BYTES = 1_000_000  # of a file
_MOST_LINE = 2_000  # characters
_LANGUAGE = re.compile(r"\[\s*([^\]]*?)\s*\]")
_ALL = "*"


def read_settings(*, stop_list: Path | None, synonyms: Path | None, default_language: str = "") -> AnalysisSettings:
    """The settings that the files give; a file that is not named adds nothing."""
    found = AnalysisSettings(default_language=default_language)
    if stop_list is not None:
        found = replace(found, stop_rules=parse_stop_list(_text(stop_list), where=str(stop_list)))
    if synonyms is not None:
        found = replace(found, synonyms=parse_synonyms(_text(synonyms), where=str(synonyms)))
    return found


def parse_stop_list(text: str, *, where: str) -> tuple[StopRule, ...]:
    """The rules of a stop list, in order; `BadWordList` names file and line."""
    rules: list[StopRule] = []
    language = ""
    for place, line in _lines(text, where):
        heading = _LANGUAGE.fullmatch(line)
        if heading:
            language = _language(heading[1], place)
        else:
            rules.append(StopRule(language, _single(line.removeprefix("-"), place), not line.startswith("-")))
    return tuple(rules)


def parse_synonyms(text: str, *, where: str) -> tuple[Synonym, ...]:
    """What each word brings along, sorted; several lines for a word add up."""
    found: dict[str, dict[str, None]] = {}
    for place, line in _lines(text, where):
        left, arrow, right = line.partition("=>")
        asked = _phrases(left, place)
        given = _phrases(right, place) if arrow else asked
        if not arrow and len(asked) < 2:
            raise _bad("a word alone has no synonym", place, "Write two or more, with commas between them.")
        for word in asked:
            found.setdefault(word, {}).update((other, None) for other in given if other != word)
    return tuple(Synonym(word, tuple(others)) for word, others in sorted(found.items()) if others)


def _text(path: Path) -> str:
    with reading(path), path.open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _bad(f"the file is larger than {MOST_BYTES:,} bytes", str(path), "Keep only the words that matter.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _bad("the file is not UTF-8", f"{path}, line {line}", "Save it as UTF-8.") from error


def _lines(text: str, where: str) -> Iterator[tuple[str, str]]:
    """Place and content of each line that says something."""
    for number, line in enumerate(text.split("\n"), start=1):
        place = f"{where}, line {number}"
        if len(line) > _MOST_LINE:
            raise _bad(f"the line has more than {_MOST_LINE:,} characters", place, "Write one entry per line.")
        if "\0" in line:
            raise _bad("the line holds a NUL character", place, "Save the file as plain text.")
        content = line.partition("#")[0].strip()
        if content:
            yield place, content


def _language(name: str, place: str) -> str:
    if name == _ALL:
        return ""
    code = language_code(name)
    if not code:
        raise _bad(f"{name!r} is no language", place, "Write a code such as [en], or [*] for all languages.")
    return code


def _single(text: str, place: str) -> str:
    found = words(text)
    if len(found) != 1:
        raise _bad(f"{text!r} is not one word", place, "Write one word per line, letters and digits only.")
    return found[0]


def _phrases(text: str, place: str) -> list[str]:
    found = [" ".join(words(part)) for part in text.split(",")]
    if not all(found):
        raise _bad("a word is missing", place, "Write words with commas between them, and on both sides of =>.")
    return found


def _bad(what: str, where: str, remedy: str) -> BadWordList:
    return BadWordList(what, where=where, remedy=remedy)
