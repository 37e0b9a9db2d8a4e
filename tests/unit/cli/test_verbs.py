"""Verbs of a noun lie in modules of their own, which are imported when they are called."""

import sys
import types

import pytest
import typer

from opilio.cli.loading import verbs_of


@pytest.fixture
def group(monkeypatch):
    """A noun with one verb that can be imported and one that cannot."""
    module = types.ModuleType("sample_verb")
    module.add_to = lambda app: app.command("look")(lambda: None)
    monkeypatch.setitem(sys.modules, "sample_verb", module)
    return verbs_of({"look": "sample_verb", "break": "no_such_module"})(name="noun")


def test_only_the_verb_that_is_called_is_imported(group):
    """A verb whose module is broken does not stand in the way of another."""
    context = typer.Context(group)
    assert group.list_commands(context) == ["look", "break"]
    assert group.get_command(context, "look").name == "look"
    with pytest.raises(ModuleNotFoundError):
        group.get_command(context, "break")


def test_an_unknown_verb_is_none(group):
    """What is no verb is left to the usual message."""
    assert group.get_command(typer.Context(group), "other") is None
