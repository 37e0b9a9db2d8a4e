"""Detects the language of a text (py3langid). A module of its own, to be imported only by who wants detection.

Loading the model takes about 0.8 s and 100 MB; it happens at the first text. A text takes 0.4 ms.
"""

from functools import lru_cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

FEWEST = 120  # characters below which no language is guessed
_SAMPLE = 1_500  # characters that are looked at, from the middle of the text
_SURE = 0.9  # probability from which a guess counts


def detected_language(text: str) -> str:
    """The ISO 639-1 code of the language of a text; empty when it is too short or the guess too weak."""
    if len(text) < FEWEST:
        return ""
    start = max(0, (len(text) - _SAMPLE) // 2)
    code, probability = _identifier().classify(text[start : start + _SAMPLE])
    return str(code) if float(probability) >= _SURE else ""


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
