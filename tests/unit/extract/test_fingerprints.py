"""Fingerprints of texts and the language of texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.extract import extract
from opilio.extract.language import FEWEST, detected_language
from opilio.extract.simhash import distance, near, simhash
from tests.unit.extract.pages import URL

_TIDE = "e6b234a92b034ed7"
_TEXT = " ".join(f"word{number} of the harbour log" for number in range(200))
_GERMAN = "Das Museum am Hafen ist von Mittwoch bis Sonntag geöffnet und zeigt alte Boote, Netze und Lampen. " * 3


def test_near_duplicates_are_near():
    """A changed word moves few bits, another text many."""
    changed = _TEXT.replace("word7 ", "seven ")
    assert near(simhash(_TEXT), simhash(changed))
    assert not near(simhash(_TEXT), simhash("Salt and rope, " * 50))


def test_a_fingerprint_is_for_ever():
    """The number is stored: it is the same on every machine and in every version."""
    assert simhash("The tide turned and the boats came home") == simhash("the TIDE turned, and the boats came home!")
    assert simhash("tide") == int.from_bytes(bytes.fromhex(_TIDE), "big")


def test_texts_without_words():
    """They have no fingerprint and are near to nothing."""
    assert simhash("") == simhash("… – !") == 0
    assert not near(0, 0)


@given(st.text(max_size=200))
def test_any_text_has_a_fingerprint(text):
    """It fits in 64 bits and does not depend on white space."""
    assert 0 <= simhash(text) < 2**64
    assert distance(simhash(text), simhash(text)) == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [(_GERMAN, "de"), ("The museum at the harbour is open and shows boats, nets and lamps of old. " * 3, "en"),
     ("x" * (FEWEST - 1), ""), ("", "")],
)  # fmt: skip
def test_languages(text, expected):
    """Enough text has a language; too little has none."""
    assert detected_language(text) == expected


def test_detection_only_where_nothing_is_declared():
    """A declared language is believed; without a detector nothing is guessed."""
    page = f"<p>{_GERMAN}".encode()
    found = extract(page, url=URL, content_type="text/html", detect=detected_language)
    assert (found.language, found.language_source) == ("de", "detected")
    declared = extract(b"<html lang=fr>" + page, url=URL, content_type="text/html", detect=detected_language)
    assert (declared.language, declared.language_source) == ("fr", "html")
    assert extract(page, url=URL, content_type="text/html").language == ""
