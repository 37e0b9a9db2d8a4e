"""What a user decides about analysis: more or fewer stop words, synonyms, the language of pages that name none."""

import json
from dataclasses import dataclass, field
from typing import NamedTuple

from opilio.search.analysis.errors import BadAnalysisSettings


class StopRule(NamedTuple):
    """A word that is a stop word, or is none, in a language or (empty) in all. The last rule for a word wins."""

    language: str
    word: str  # folded
    stop: bool


class Synonym(NamedTuple):
    """What else is looked for when `word` is asked; both may hold several words, one blank between them."""

    word: str  # folded
    others: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class AnalysisSettings:
    """What a user decides about analysis. Synonyms work when asked: a change of them needs no new index."""

    default_language: str = ""  # of pages whose language is not known; empty: no stemming, no stop words
    stop_rules: tuple[StopRule, ...] = ()
    synonyms: tuple[Synonym, ...] = field(default=())

    def to_json(self) -> str:
        """As text, always the same for the same settings."""
        values = {
            "default_language": self.default_language,
            "stop_rules": [list(rule) for rule in self.stop_rules],
            "synonyms": [[synonym.word, list(synonym.others)] for synonym in self.synonyms],
        }
        return json.dumps(values, ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str, *, where: str = "") -> "AnalysisSettings":
        """Read what `to_json` wrote; `BadAnalysisSettings` for anything else."""
        try:
            values = json.loads(text)
            return cls(
                default_language=_text(values.get("default_language", "")),
                stop_rules=tuple(_rule(row) for row in values.get("stop_rules", [])),
                synonyms=tuple(_synonym(row) for row in values.get("synonyms", [])),
            )
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            remedy = "Write them again from the stop list and the synonyms."
            raise BadAnalysisSettings(
                f"the settings of analysis cannot be read: {error}", where=where, remedy=remedy
            ) from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _rule(row: object) -> StopRule:
    language, word, stop = _row(row, 3)
    if not isinstance(stop, bool):
        raise TypeError(f"{stop!r} is neither true nor false")
    return StopRule(_text(language), _text(word), stop)


def _synonym(row: object) -> Synonym:
    word, others = _row(row, 2)
    return Synonym(_text(word), tuple(_text(other) for other in _row(others, None)))


def _row(value: object, size: int | None) -> list[object]:
    if not isinstance(value, list) or (size is not None and len(value) != size):
        raise TypeError(f"{value!r} has not the form that was written")
    return value
