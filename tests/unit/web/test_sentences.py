"""Sentences with names and numbers in them are told in the reader's language."""

import ast
import re

from django.utils import translation

from opilio.web.sentences import SHAPES, told
from opilio.web.templatetags.shell import said
from tests.languages import WEB, read, toasts

#: More values than words: what such a sentence says comes from elsewhere.
BARE = {
    "{0} {1}.", "{0} {1} {2}.", "{0}: {1}", "{0} {1} told.", "{0} is {1}.", "{0} is {1} now.", "{0} changed.",
    "{0} more could not be {1}.", "{0} no URL. {1}", "{0} on the list now{1}.{2}", "It is {0} the group {1}.",
    "Asked {0}. The link, shown only now: {1}{2}", "{0} {1} is deleted. The page Deleted restores it.",
    "{0} {1} is restored.",
}  # fmt: skip


def test_a_name_stays_what_it_is():
    """The sentence is German, the name is not touched, whatever is in it."""
    with translation.override("de"):
        assert told("The token {0} & <b> is revoked.") == "Das Token {0} & <b> ist widerrufen."
        made = told("The target A, with b is made, with http://a.example/ as its seed.")
        assert made == "Das Ziel A, with b ist angelegt, mit http://a.example/ als Startadresse."
        assert told("Saved.") == "Gespeichert."
        assert told("Nobody translated this 1 sentence.") == "Nobody translated this 1 sentence."
    assert told("The token a is revoked.") == "The token a is revoked."


def test_values_of_templates_are_escaped():
    """A name cannot bring markup into a sentence."""
    with translation.override("de"):
        assert said("Welcome, {0}", "<b>") == "Willkommen, &lt;b&gt;"


def test_every_sentence_after_a_form_has_a_shape():
    """What a view tells with values in it is known; a new one needs a line in `SHAPES` and in the catalogue."""
    every = {shape for path in WEB.rglob("*.py") for shape in toasts(ast.parse(path.read_text("utf-8")))}
    lacking = {shape for shape in every if "{" in shape} - set(SHAPES) - BARE
    assert lacking == set()


def test_translations_have_the_same_values():
    """A German sentence that lost a name, or names one more, would fail when it is told."""
    wrong = {
        english: german
        for english, german in read().items()
        if english and sorted(re.findall(r"\{\d\}", english)) != sorted(re.findall(r"\{\d\}", german))
    }
    assert wrong == {}
