"""Words on the pages: marked for translation in the frame, and only those of the glossary."""

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[2] / "src" / "opilio" / "web" / "templates" / "web"
#: Navigation, forms and lists: whatever they say must be in the reader's language.
_FRAME = [
    *TEMPLATES.glob("_*.html"), TEMPLATES / "shell.html", TEMPLATES / "plain.html",
    *(TEMPLATES / "forms").glob("_*.html"),
    *((TEMPLATES / "lists" / f"_{name}.html") for name in ("filters", "head", "toolbar")),
]  # fmt: skip
_CODE = re.compile(r"\{% block body_class %\}.*?\{% endblock %\}|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_ELEMENTS = re.compile(r"<[^>]*>", re.DOTALL)
_NAMES = {"CSV", "Opilio"}  # the same in every language


def _bare(text):
    """Words that stand in a template as they are."""
    return set(re.findall(r"[A-Za-z]{2,}", _ELEMENTS.sub(" ", _CODE.sub("", text)))) - _NAMES


def test_bare_words_are_found():
    """A label that nobody marked is seen, a marked one is not."""
    assert _bare('<label for="x">Name {{ x }}</label>{% translate "Marked" %}') == {"Name"}


@pytest.mark.parametrize("path", _FRAME, ids=lambda path: path.name)
def test_words_of_the_frame_are_marked(path):
    """Navigation, forms and the frame of lists hold no word that cannot be translated."""
    assert _bare(path.read_text("utf-8")) == set()


#: Words that have two meanings, where they stand alone in a heading, a label or a button.
_AMBIGUOUS = re.compile(r'\{% translate "(Sessions?|Jobs?|Tasks?)" %\}|<h[12][^>]*>(Sessions?|Tasks?)<')


def test_no_bare_word_with_two_meanings():
    """A session is a sign-in session or a delivery session, a task waits in the in-tray or belongs to a session."""
    found = {}
    for path in sorted(TEMPLATES.rglob("*.html")):
        name = str(path.relative_to(TEMPLATES))
        if words := _AMBIGUOUS.findall(path.read_text("utf-8")):
            found[name] = words
    assert found == {}
