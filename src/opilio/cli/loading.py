"""Imports modules by name when they are needed: the one place that may, so that no command pays for another's needs."""

import importlib
from types import ModuleType

from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from opilio.cli.nouns import Noun


def load(noun: Noun) -> TyperCommand | TyperGroup:
    """The commands of a noun."""
    module = catalogue_part(noun.module) if noun.django else importlib.import_module(noun.module)
    command = get_command(module.app)
    command.name = noun.name
    assert isinstance(command, TyperCommand | TyperGroup)  # noqa: S101 - typer makes nothing else
    return command


def catalogue_part(name: str) -> ModuleType:
    """A module that imports models: Django is set up before it."""
    importlib.import_module("opilio.cli.django_setup").prepare()
    return importlib.import_module(name)
